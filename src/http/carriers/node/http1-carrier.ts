import {
  ServerResponse,
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { RequestHandler } from '../../handler/request-handler.ts';
import type { Departure, HttpVersion, Request, RequestBody } from '../../handler/request.ts';
import type { Response } from '../../handler/response.ts';
import { type CarrierLimits, peerOf } from '../connection/transport.ts';
import type { CarrierParts } from '../connection/request-queue.ts';
import { secureContextOptions, type Certificate } from '../connection/certificate.ts';
import { ClientErrors, lingerMs } from './client-error.ts';
import { isForeign, watchLines, mayBeEmpty, whenContentKnown } from './request-lines.ts';

/**
 * Carries HTTP/1.0 and HTTP/1.1 with Node's own server: it parses requests, keeps the order of
 * pipelined ones, and holds the limits on their size and time.
 */
export class Http1Carrier {
  readonly server: Server;
  readonly errors: ClientErrors;
  readonly #parts: CarrierParts;
  readonly #readWithNode: (socket: Socket) => void;

  constructor(parts: CarrierParts, certificate: Certificate | undefined) {
    this.#parts = parts;
    this.errors = new ClientErrors(parts);
    this.server = createServer(parts.limits, certificate);
    this.#readWithNode = takeNodesListener(this.server, certificate !== undefined);
    const carry = (request: IncomingMessage, response: ServerResponse): void => {
      this.errors.note(request, response);
      const { 'transfer-encoding': coding, expect } = request.headers;
      const isChunked = coding?.toLowerCase() === 'chunked' && request.httpVersion === '1.1';
      if (!isChunked || !mayBeEmpty(request.method, expect)) return this.#carry(request, response);
      whenContentKnown(request, (hasContent) => this.#carry(request, response, hasContent));
    };
    this.server.on('request', carry);
    // A request with an expectation is answered like any other. The route asks for the body.
    this.server.on('checkContinue', carry);
    this.server.on('checkExpectation', carry);
    this.server.on('connect', (request, socket) => this.#answerConnect(request, socket));
    this.server.on('clientError', this.errors.handle);
  }

  /** Reads from a connection from now on. */
  take(socket: Socket): void {
    this.#readWithNode(socket);
    watchLines(socket);
  }

  #carry(
    message: IncomingMessage,
    response: ServerResponse,
    hasBody = announcesBody(message),
  ): void {
    const { clock, queue } = this.#parts;
    const begun = clock.monotonic();
    const request = readRequest(message, response, hasBody);
    if (queue === undefined || !queue.mustWait(begun))
      return this.#answer(request, response, begun);
    // Otherwise Node closes the connection of a client that has sent its last request and half-closed.
    const halfOpen = this.server as { httpAllowHalfOpen?: boolean };
    halfOpen.httpAllowHalfOpen = true;
    const whenServed = (work: () => void) => (): void => {
      if (queue.size === 0) halfOpen.httpAllowHalfOpen = false;
      // A client that has left needs no response.
      if (!response.destroyed) work();
    };
    queue.add(this.#parts.handler().clientOf(request), {
      run: whenServed(() => this.#answer(request, response, begun)),
      shed: whenServed(() => {
        const handler = this.#parts.handler();
        this.#write(handler.shed(request), { handler, request, response, begun });
      }),
    });
  }

  #answer(request: Request, response: ServerResponse, begun: number): void {
    const handler = this.#parts.handler();
    const to = { handler, request, response, begun };
    const departure: Departure = { onLeave: undefined };
    const ready = handler.respond(request, departure);
    if (!(ready instanceof Promise)) return this.#write(ready, to);
    response.once('close', () => departure.onLeave?.());
    void ready.then((later) => this.#write(later, to));
  }

  #write(
    ready: Response,
    {
      handler,
      request,
      response,
      begun,
    }: {
      readonly handler: RequestHandler;
      readonly request: Request;
      readonly response: ServerResponse;
      readonly begun: number;
    },
  ): void {
    if (response.destroyed) return;
    response.on('close', () => {
      handler.finished(ready, this.#parts.clock.monotonic() - begun);
    });
    const closes = handler.closesAfter(request, ready);
    if (closes && response.socket !== null) this.errors.markFinished(response.socket);
    response.sendDate = false;
    // A stream ends with its connection, so it needs no chunks around each event.
    if (ready.stream !== undefined) response.useChunkedEncodingByDefault = false;
    response.writeHead(ready.status, handler.heads.list(ready, closes));
    if (ready.stream !== undefined) return ready.stream(response);
    // Node corks until the end, so all parts are sent at once; one text is sent with the head.
    const last = ready.body.length - 1;
    for (let at = 0; at < last; at += 1) response.write(ready.body[at], 'latin1');
    if (closes && ready.drainsBody && request.body?.isComplete() === false) {
      response.write(ready.body[last] ?? '', 'latin1');
      endAfterBody(response);
    } else response.end(ready.body[last], 'latin1');
  }

  /**
   * Answers CONNECT as every other method that is not served. Node passes on the connection so that a
   * tunnel could be opened. Here it gets one response, after the pending ones, and is closed.
   */
  #answerConnect(message: IncomingMessage, socket: Duplex): void {
    socket.on('error', () => socket.destroy());
    this.errors.afterResponses(socket, () => {
      if (!socket.writable) return;
      const response = new ServerResponse(message);
      response.shouldKeepAlive = false;
      response.assignSocket(socket as Socket);
      response.on('finish', () => socket.destroy());
      this.#carry(message, response);
    });
  }
}

/**
 * Ends a response, and with it the connection, when the client has sent the rest of its body. If the
 * connection were closed before, the kernel would send a reset that can overtake the response.
 */
function endAfterBody(response: ServerResponse): void {
  const { req: message } = response;
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs).unref();
  message.once('end', end).once('close', end);
  message.resume();
}

function createServer(limits: CarrierLimits, certificate: Certificate | undefined): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.requestHeadBytesMax,
    // Node accepts no longer time for the headers than for the request.
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    // Node adds this to the keep-alive timeout, so that it does not close a connection just when a
    // client that trusts the announced timeout sends a request.
    keepAliveTimeoutBuffer: limits.timeoutCheckMs,
    // The handler refuses such requests, with the contract's error.
    requireHostHeader: false,
  };
  const server =
    certificate === undefined
      ? createHttpServer(options)
      : createHttpsServer({
          ...options,
          ...secureContextOptions(certificate.pair),
          ALPNProtocols: ['h2', 'http/1.1'],
          handshakeTimeout: limits.headersTimeoutMs,
        });
  server.setTimeout(limits.stalledSocketMs);
  // The size of a head is limited in bytes. With a limit on their number Node would drop headers
  // silently, and a second `Host` could be among them.
  server.maxHeadersCount = 0;
  return server;
}

/** Removes from a server the listener that reads HTTP/1.1 from its connections. */
function takeNodesListener(server: Server, isTls: boolean): (socket: Socket) => void {
  const event = isTls ? 'secureConnection' : 'connection';
  // The first one is Node's own.
  const [listener] = server.listeners(event) as ((socket: Socket) => void)[];
  if (listener === undefined) throw new Error('the server does not read its connections');
  server.removeListener(event, listener);
  return (socket) => listener.call(server, socket);
}

function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function readRequest(
  message: IncomingMessage,
  response: ServerResponse,
  hasBody: boolean,
): Request {
  const { headers, socket } = message;
  return {
    peer: peerOf(socket),
    method: message.method ?? '',
    target: message.url ?? '*',
    version: versionOf(message),
    headers,
    count: (name) => countNames(message.rawHeaders, name),
    hasBody,
    keepsAlive: response.shouldKeepAlive && !closeOption.test(headers.connection ?? ''),
    headBytes: undefined,
    body: bodyOf(message, response),
    head: undefined,
  };
}

/** `close` takes precedence over `keep-alive` (RFC 9112 9.3). */
const closeOption = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

function versionOf(message: IncomingMessage): HttpVersion {
  const { httpVersion } = message;
  const isKnown = httpVersion === '1.1' || httpVersion === '1.0';
  return isKnown && !isForeign(message) ? httpVersion : 'other';
}

function countNames(rawHeaders: readonly string[], wanted: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count;
}

function bodyOf(message: IncomingMessage, response: ServerResponse): RequestBody {
  return {
    stream: message,
    isComplete: () => message.complete,
    takeWhole: () =>
      message.complete ? ((message.read() as Buffer | null) ?? undefined) : undefined,
    isCut: () => message.destroyed && !message.complete,
    proceed: () => response.writeContinue(),
  };
}
