import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { errorAnswer } from '../wire/error-texts.ts';
import type { ErrorAnswer } from '../wire/error-texts.ts';
import { jsonType } from './answer.ts';
import { headLines, statusLine } from './head-lines.ts';
import type { HttpLimits } from './http-limits.ts';
import { isHttp2 } from './http-version.ts';
import { standingHeaders } from './standing-headers.ts';

/**
 * How long a refused connection is kept for the client to read why. Closing at once, with bytes of
 * the client still unread, makes the kernel send a reset that can overtake the answer.
 */
const lingerMs = 1_000;

/** Connections whose last response was sent or is being sent. */
const finished = new WeakSet<Duplex>();

/**
 * Notes that the response under way is the last on its connection. Whatever else is wrong with the
 * bytes of the client, there is no further response: it would belong to no request.
 */
export function markFinished(connection: Duplex): void {
  finished.add(connection);
}

/** The latest request of a connection, and its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const latest = new WeakMap<Duplex, Exchange>();

/** Notes the request that a connection carries from now on; what fails before its end is a part of it. */
export function noteExchange(request: IncomingMessage, response: ServerResponse): void {
  if (!isHttp2(request)) latest.set(request.socket, { request, response });
}

/** Calls back when the responses that a connection still owes are written; at once if it owes none. */
export function afterResponses(connection: Duplex, next: () => void): void {
  const response = latest.get(connection)?.response;
  if (response === undefined || response.closed) next();
  else response.once('close', next);
}

/** What Node says about a message that it could not make a request of. */
interface ClientError extends Error {
  readonly code?: string;
  /** The bytes at hand when parsing failed. */
  readonly rawPacket?: unknown;
}

/**
 * Answers connections whose bytes are no request; each is closed. No request gets two responses: where
 * the bytes belong to the body of a request that has its response, the connection is closed without
 * another, and a response that is under way is finished first.
 */
export function clientErrorHandler(
  limits: HttpLimits,
): (error: ClientError, socket: Duplex) => void {
  return (error, socket) => {
    if (finished.has(socket)) return;
    // Bytes that come after the first refusal fail again, and need no second answer. Where TLS was
    // not agreed, nothing can be said.
    const isUnheard = error.code === 'ECONNRESET' || isTlsFailure(error) || !socket.writable;
    if (isUnheard) {
      socket.destroy();
      return;
    }
    const isTimeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    const refuse = (): void =>
      refuseConnection(socket, answerTo(error, limits), { lingerMs: isTimeout ? 0 : lingerMs });
    const { request, response } = latest.get(socket) ?? {};
    const isAnswered = response?.headersSent === true;
    if (request === undefined || response === undefined) return refuse();
    // The body of a request without a response yet: this is its response.
    if (!request.complete && !isAnswered) return refuse();
    markFinished(socket);
    afterResponses(socket, request.complete ? refuse : () => endAfterWriting(socket));
  };
}

/** Closes a connection when all that was written to it has gone out. */
function endAfterWriting(socket: Duplex): void {
  socket.end(() => socket.destroy());
}

/** Writes an answer by hand where there is no request to reply to, and closes the connection. */
export function refuseConnection(
  socket: Duplex,
  { status, body }: ErrorAnswer,
  {
    lingerMs: linger,
    headers = {},
  }: { readonly lingerMs: number; readonly headers?: Readonly<Record<string, string>> },
): void {
  const all = {
    connection: 'close',
    'content-type': jsonType,
    'content-length': String(Buffer.byteLength(body)),
    ...standingHeaders,
    ...headers,
  };
  const head = statusLine(status) + headLines(Object.entries(all).flat());
  socket.end(`${head}\r\n${body}`, () => {
    if (linger === 0) socket.destroy();
    else setTimeout(() => socket.destroy(), linger).unref();
  });
}

function isTlsFailure({ code = '' }: ClientError): boolean {
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_');
}

function answerTo(error: ClientError, limits: HttpLimits): ErrorAnswer {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorAnswer('request-too-slow');
  if (error.code !== 'HPE_HEADER_OVERFLOW') return errorAnswer('request-malformed');
  return isWithinRequestLine(error.rawPacket, limits)
    ? errorAnswer('target-too-long', { max: limits.requestLineBytesMax })
    : errorAnswer('headers-too-large');
}

/**
 * Whether a head is too large already in its first line. Node reads 64 KiB at a time, twice the limit,
 * so the packet begins with the request line unless the client sent it in small pieces; then it is
 * called a header, which is no less a refusal.
 */
function isWithinRequestLine(packet: unknown, { requestLineBytesMax }: HttpLimits): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z]+ /.test(packet.toString('latin1', 0, 16))) return false;
  const lineEnd = packet.indexOf('\n');
  return lineEnd === -1 || lineEnd >= requestLineBytesMax;
}
