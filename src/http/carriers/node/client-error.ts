import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { RequestHandler, UnreadError } from '../../handler/request-handler.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { type CarrierLimits, peerOf } from '../connection/transport.ts';
import { isRequestLineOver, targetIn } from './request-lines.ts';

/**
 * How long a refused connection stays open for the client to read why, in milliseconds. If it were
 * closed at once, with unread bytes of the client, the kernel would send a reset that can overtake the
 * response.
 */
export const lingerMs = 1_000;

/** An error of a message that Node could not parse. */
interface ClientError extends Error {
  readonly code?: string;
  /** The bytes that were being parsed. */
  readonly rawPacket?: unknown;
}

/** The latest request of a connection, and its response. */
interface Latest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Answers connections whose bytes are no request, and closes each. No request gets two responses: if
 * the bytes belong to the body of a request that has its response, the connection is closed without
 * another one. A response that is under way is finished first.
 */
export class ClientErrors {
  readonly #limits: CarrierLimits;
  readonly #clock: Clock;
  readonly #handler: () => RequestHandler;
  readonly #latest = new WeakMap<Duplex, Latest>();
  readonly #finished = new WeakSet<Duplex>();

  constructor(parts: {
    readonly limits: CarrierLimits;
    readonly clock: Clock;
    readonly handler: () => RequestHandler;
  }) {
    this.#limits = parts.limits;
    this.#clock = parts.clock;
    this.#handler = parts.handler;
  }

  /** Notes the latest request of a connection. What fails before its end is a part of it. */
  note(request: IncomingMessage, response: ServerResponse): void {
    this.#latest.set(request.socket, { request, response });
  }

  /**
   * Notes that the response under way is the last on its connection. Whatever else is wrong with the
   * bytes of the client, there is no further response, because it would belong to no request.
   */
  markFinished(connection: Duplex): void {
    this.#finished.add(connection);
  }

  /** Calls back when all pending responses of a connection are written. */
  afterResponses(connection: Duplex, next: () => void): void {
    const response = this.#latest.get(connection)?.response;
    if (response === undefined || response.closed) next();
    else response.once('close', next);
  }

  /** Handles the error of a connection. */
  readonly handle = (error: ClientError, socket: Duplex): void => {
    if (this.#finished.has(socket)) return;
    // Where TLS was not agreed, no response can be sent.
    const isUnheard = error.code === 'ECONNRESET' || isTlsFailure(error) || !socket.writable;
    if (isUnheard) {
      socket.destroy();
      return;
    }
    // Further bytes may arrive before the refusal is sent.
    const unread = unreadError(error, socket, this.#limits);
    const target = targetIn(socket, error.rawPacket);
    const refuse = (): void => this.refuse(socket, unread, target);
    const { request, response } = this.#latest.get(socket) ?? {};
    if (request === undefined || response === undefined) return refuse();
    // The body of a request without a response yet: this is its response.
    if (!request.complete && !response.headersSent) return refuse();
    this.markFinished(socket);
    // Node would close the connection at the end of the input, before the refusal is sent.
    socket.removeAllListeners('end');
    this.afterResponses(socket, request.complete ? refuse : () => endAfterWriting(socket));
  };

  /**
   * Sends a response that belongs to no request, and closes the connection.
   *
   * @param target that of the request line, if it is known.
   */
  refuse(socket: Duplex, error: UnreadError, target?: string): void {
    const begun = this.#clock.monotonic();
    const handler = this.#handler();
    const response = handler.refuseUnread(peerOf(socket), error, target);
    // Bytes that follow fail again, and get no second response.
    this.markFinished(socket);
    const parts = [handler.heads.text(response, true), ...response.body];
    const bytes = parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : part,
    );
    const linger = error.name === 'request-too-slow' ? 0 : lingerMs;
    socket.end(Buffer.concat(bytes), () => {
      if (linger === 0) socket.destroy();
      else setTimeout(() => socket.destroy(), linger).unref();
    });
    handler.finished(response, this.#clock.monotonic() - begun);
  }
}

/** Closes a connection when all bytes have been sent. */
function endAfterWriting(socket: Duplex): void {
  socket.end(() => socket.destroy());
}

function isTlsFailure({ code = '' }: ClientError): boolean {
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_');
}

function unreadError(
  { code, rawPacket }: ClientError,
  socket: Duplex,
  { requestLineBytesMax: max }: CarrierLimits,
): UnreadError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { name: 'request-too-slow' };
  if (code !== 'HPE_HEADER_OVERFLOW') return { name: 'request-malformed' };
  return isRequestLineOver(socket, rawPacket, max)
    ? { name: 'target-too-long', max }
    : { name: 'headers-too-large' };
}
