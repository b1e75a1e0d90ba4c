import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

import type { RequestHandler } from '../../handler/request-handler.ts';
import type { Departure, HeaderFields, Peer, Request, RequestBody } from '../../handler/request.ts';
import type { Response } from '../../handler/response.ts';
import type { CarrierParts } from '../connection/request-queue.ts';
import { peerOf } from '../connection/transport.ts';
import { LastHead, readHttp2Head, type Http2Head } from './http2-head.ts';
import { mayBeEmpty, whenContentKnown } from './request-lines.ts';

/** Maximum number of concurrent requests of one connection. The protocol enforces it. */
const streamsPerSessionMax = 100;

/** Maximum memory of one session, in MB: one or two bodies, and its header tables. */
const sessionMemoryMaxMb = 4;

/** Error codes of HTTP/2 (RFC 9113 section 7). */
const noError = 0;
const cancel = 8;

/** The largest id of a stream. */
const lastStreamIdMax = 2 ** 31 - 1;

/** How long a session that was asked to end stays open, in milliseconds. */
const partingMs = 1_000;

/** One connection. */
interface Session {
  readonly session: ServerHttp2Session;
  readonly peer: Peer;
  readonly lastHead: LastHead;
  /** The number of open streams. */
  open: number;
  /** Since when it has no open stream, in milliseconds of the monotonic clock. */
  idleSince: number;
  hasCarried: boolean;
  isLeaving: boolean;
}

/**
 * One request. Node's streams survive a while in memory after they are closed. So that nothing else
 * does, the listeners of a stream are shared functions that find this object at the stream, and the
 * closed stream no longer refers to it.
 */
interface Open extends Departure {
  readonly session: Session;
  readonly stream: ServerHttp2Stream;
  readonly since: number;
  /** Present once the response has been written. */
  handler: RequestHandler | undefined;
  response: Response | undefined;
}

const openKey = Symbol('open');
type OwnStream = ServerHttp2Stream & { [openKey]?: Open | undefined };

/**
 * Carries HTTP/2 with Node's stream interface, for the connections of a TLS server whose client chose
 * `h2`. The compatibility interface of Node would cost 10 to 30 µs more for each request.
 *
 * Node's time limits are for HTTP/1.1 only, so the same ones are enforced here: a session without a
 * request is closed after `headersTimeoutMs` if it never had one, else after `keepAliveTimeoutMs`. A
 * request must arrive within `requestTimeoutMs`, and its response be read within `responseTimeoutMs` after
 * that. Control frames keep nothing open.
 */
export class Http2Carrier {
  readonly #parts: CarrierParts;
  readonly #server;
  readonly #sessions = new Set<Session>();
  readonly #streams = new Set<Open>();
  readonly #sweeper: NodeJS.Timeout;
  /** The listener of all streams. */
  readonly #onClose: (this: OwnStream) => void;

  constructor(parts: CarrierParts) {
    this.#parts = parts;
    const { requestHeadBytesMax, timeoutCheckMs } = parts.limits;
    this.#server = createServer({
      settings: {
        enablePush: false,
        maxConcurrentStreams: streamsPerSessionMax,
        // Heads over the limit and under this get 431. Larger ones are reset.
        maxHeaderListSize: 2 * requestHeadBytesMax,
      },
      maxSessionMemory: sessionMemoryMaxMb,
      // The heads of responses are written in one place, where no name occurs twice.
      strictSingleValueFields: false,
    });
    this.#server.on('session', (session) => this.#watch(session));
    this.#sweeper = setInterval(() => this.#sweep(), timeoutCheckMs).unref();
    const release = (open: Open): void => this.#release(open);
    this.#onClose = function onClose() {
      const open = this[openKey];
      this[openKey] = undefined;
      if (open !== undefined) release(open);
    };
  }

  /** Reads from a connection from now on. */
  take(socket: Socket): void {
    this.#server.emit('connection', socket);
  }

  /** Announces to every client that its session ends. Requests that are on their way are answered. */
  drain(): void {
    for (const { session } of this.#sessions) announceEnd(session);
  }

  /** Ends every session: requests under way are answered, further ones are not accepted. */
  close(): void {
    for (const { session } of this.#sessions) session.close();
  }

  /** Stops enforcing time limits. To be called when no connection is left. */
  [Symbol.dispose](): void {
    clearInterval(this.#sweeper);
  }

  #watch(session: ServerHttp2Session): void {
    const own: Session = {
      session,
      peer: peerOf(session.socket),
      lastHead: new LastHead(),
      open: 0,
      idleSince: this.#parts.clock.monotonic(),
      hasCarried: false,
      isLeaving: false,
    };
    this.#sessions.add(own);
    session.on('close', () => this.#sessions.delete(own));
    // The requests of a broken session end with it.
    session.on('error', ignore);
    session.on('stream', (stream, headers, _flags, rawHeaders) => {
      // A session that begins during a drain gets its first request answered.
      if (!own.hasCarried && this.#parts.phase.isDraining) announceEnd(session);
      own.hasCarried = true;
      // Whether a message is acceptable depends on whether it has a body, too.
      const head = stream.endAfterHeaders
        ? own.lastHead.of(headers, rawHeaders)
        : readHttp2Head(headers, rawHeaders);
      this.#carry(own, stream, head);
    });
  }

  #carry(session: Session, stream: OwnStream, head: Http2Head): void {
    const since = this.#parts.clock.monotonic();
    const open: Open = {
      session,
      stream,
      since,
      handler: undefined,
      response: undefined,
      onLeave: undefined,
    };
    stream[openKey] = open;
    session.open += 1;
    this.#streams.add(open);
    stream.on('error', ignore);
    stream.on('close', this.#onClose);
    const announcesBody = !stream.endAfterHeaders;
    if (!announcesBody || !mayBeEmpty(head.method, head.headers['expect'])) {
      return this.#proceed(open, head, announcesBody);
    }
    whenContentKnown(stream, (hasContent) => this.#proceed(open, head, hasContent));
  }

  #proceed(open: Open, head: Http2Head, hasBody: boolean): void {
    const { clock, queue } = this.#parts;
    const request = new Http2Request(open.session.peer, open.stream, { head, hasBody });
    if (queue === undefined || !queue.mustWait(clock.monotonic())) {
      return this.#answer(request, open);
    }
    queue.add(this.#parts.handler().clientOf(request), {
      run: () => this.#answer(request, open),
      shed: () => {
        const handler = this.#parts.handler();
        this.#write(handler.shed(request), handler, open);
      },
    });
  }

  #release(open: Open): void {
    const { session, since, handler, response } = open;
    const now = this.#parts.clock.monotonic();
    this.#streams.delete(open);
    session.open -= 1;
    open.onLeave?.();
    if (session.open === 0) session.idleSince = now;
    if (response !== undefined) handler?.finished(response, now - since);
  }

  #answer(request: Request, open: Open): void {
    const handler = this.#parts.handler();
    const ready = handler.respond(request, open);
    if (ready instanceof Promise) void ready.then((later) => this.#write(later, handler, open));
    else this.#write(ready, handler, open);
  }

  #write(ready: Response, handler: RequestHandler, open: Open): void {
    const { stream } = open;
    // A client that has left needs no response.
    if (stream.destroyed || stream.closed) return;
    open.handler = handler;
    open.response = ready;
    const { body } = ready;
    const head = handler.heads.multiplexed(ready);
    if (ready.stream !== undefined) {
      stream.respond(head);
      return ready.stream(stream);
    }
    // The rest of a body that nobody reads is not waited for (RFC 9113 8.1).
    if (!stream.endAfterHeaders) stream.on('finish', closeUnread);
    if (body.length === 0) {
      stream.respond(head, { endStream: true });
      return;
    }
    stream.respond(head);
    const last = body.length - 1;
    for (let at = 0; at < last; at += 1) stream.write(body[at], 'latin1');
    stream.end(body[last], 'latin1');
  }

  #sweep(): void {
    const { limits, phase } = this.#parts;
    const { requestTimeoutMs, responseTimeoutMs, headersTimeoutMs, keepAliveTimeoutMs } = limits;
    const now = this.#parts.clock.monotonic();
    for (const { stream, since, response } of this.#streams) {
      const isEndless = response?.stream !== undefined;
      const isLate = !isWhole(stream) && now - since > requestTimeoutMs;
      const isUnread = !isEndless && now - since > requestTimeoutMs + responseTimeoutMs;
      if (isLate || isUnread) stream.close(cancel);
    }
    for (const session of this.#sessions) {
      if (session.open > 0) continue;
      const usualMs = session.hasCarried ? keepAliveTimeoutMs : headersTimeoutMs;
      const timeoutMs = phase.isDraining ? Math.min(limits.drainIdleMs, usualMs) : usualMs;
      const idleMs = now - session.idleSince;
      if (session.isLeaving && idleMs > timeoutMs + partingMs) session.session.destroy();
      else if (!session.isLeaving && idleMs > timeoutMs) {
        session.isLeaving = true;
        session.session.close();
      }
    }
  }
}

function ignore(): void {
  // The request ends with its stream, and there is nobody to report the error to.
}

/**
 * Tells a client to open no more streams. The largest possible id says that streams which are on their
 * way are answered (RFC 9113 6.8).
 */
function announceEnd(session: ServerHttp2Session): void {
  if (!session.closed && !session.destroyed) session.goaway(noError, lastStreamIdMax);
}

/** Whether all of a request has arrived. */
function isWhole(stream: ServerHttp2Stream): boolean {
  return stream.endAfterHeaders || stream.readableEnded;
}

function closeUnread(this: ServerHttp2Stream): void {
  if (!this.readableEnded) this.close(noError);
}

class Http2Request implements Request {
  readonly version = '2';
  readonly keepsAlive = true;
  readonly peer: Peer;
  readonly hasBody: boolean;
  readonly #stream: ServerHttp2Stream;
  readonly #head: Http2Head;

  constructor(
    peer: Peer,
    stream: ServerHttp2Stream,
    { head, hasBody }: { readonly head: Http2Head; readonly hasBody: boolean },
  ) {
    this.peer = peer;
    this.hasBody = hasBody;
    this.#stream = stream;
    this.#head = head;
  }

  get method(): string {
    return this.#head.method;
  }

  get target(): string {
    return this.#head.target;
  }

  get headers(): HeaderFields {
    return this.#head.headers;
  }

  get headBytes(): number {
    return this.#head.bytes;
  }

  get head(): object | undefined {
    return this.#head.parsed;
  }

  set head(parsed: object | undefined) {
    this.#head.parsed = parsed;
  }

  count(name: string): number {
    return this.#head.raw.filter((one, at) => at % 2 === 0 && one === name).length;
  }

  get body(): RequestBody {
    return bodyOf(this.#stream);
  }
}

function bodyOf(stream: ServerHttp2Stream): RequestBody {
  return {
    stream,
    isComplete: () => isWhole(stream),
    takeWhole: () => undefined,
    isCut: () => stream.destroyed && !isWhole(stream),
    proceed: () => stream.additionalHeaders({ ':status': 100 }),
  };
}
