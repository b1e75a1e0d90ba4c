import type { Duplex } from 'node:stream';

import { errorAnswer } from '../wire/error-texts.ts';
import type { ErrorAnswer } from '../wire/error-texts.ts';
import { jsonType } from './answer.ts';
import { headLines, statusLine } from './head-lines.ts';
import type { HttpLimits } from './http-limits.ts';
import { standingHeaders } from './standing-headers.ts';

/**
 * How long a refused connection is kept for the client to read why. Closing at once, with bytes of
 * the client still unread, makes the kernel send a reset that can overtake the answer.
 */
const lingerMs = 1_000;

/** Connections that had their last answer. */
const finished = new WeakSet<Duplex>();

/**
 * Notes that the answer under way is the last on its connection. Whatever else is wrong with what the
 * client sent, it is told no more: a second answer would belong to no request.
 */
export function markFinished(connection: Duplex): void {
  finished.add(connection);
}

/** What Node says about a message that it could not make a request of. */
interface ClientError extends Error {
  readonly code?: string;
  /** The bytes at hand when parsing failed. */
  readonly rawPacket?: unknown;
}

/** Answers connections whose bytes never became a request; each is closed. */
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
    refuseConnection(socket, answerTo(error, limits), { lingerMs: isTimeout ? 0 : lingerMs });
  };
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
