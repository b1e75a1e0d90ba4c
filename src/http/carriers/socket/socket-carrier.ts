import type { Socket } from 'node:net';

import type { RequestHandler, UnreadError } from '../../handler/request-handler.ts';
import type { Peer, Request } from '../../handler/request.ts';
import type { Response } from '../../handler/response.ts';
import type { CarrierParts } from '../connection/carrier-parts.ts';
import { peerOf } from '../connection/peer.ts';
import { readPlainHead, readPlainPost } from './request-head.ts';
import type { PlainHead } from './request-head.ts';
import { WholeBody } from './whole-body.ts';

/** Longer requests are left to Node. Usual ones have a tenth of this length. */
const requestBytesMax = 8 * 1024;

/** Up to this length the last request of a connection is remembered. */
const rememberedBytesMax = 1_024;

/** What the socket carrier works with. */
export interface SocketCarrierParts extends CarrierParts {
  /** Passes a connection to Node's HTTP server, which reads it from then on. */
  readonly handOver: (socket: Socket) => void;
  /** Sends a response that belongs to no request, and closes the connection. */
  readonly refuse: (socket: Socket, error: UnreadError) => void;
}

/**
 * Carries plain GET and HEAD requests straight from the socket, with and without TLS, and a POST whose body
 * arrives together with its head.
 *
 * Each piece of bytes that arrives is examined by itself. If it is the whole of one plain request, it
 * is answered. Anything else (a part of a request, several at once, a stream) is put back, and
 * the connection passes to Node's server for the rest of its life, before anything is decided.
 *
 * So no part of a request is ever stored here. Where a message ends, and how long and slow it may be,
 * is decided by Node's parser alone. Only idle connections are closed here, after the same times.
 */
export class SocketCarrier {
  readonly #parts: SocketCarrierParts;
  readonly #open = new Set<Connection>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(parts: SocketCarrierParts) {
    this.#parts = parts;
    this.#sweeper = setInterval(() => this.#sweep(), parts.limits.timeoutCheckMs).unref();
  }

  /** Reads from a connection from now on. */
  take(socket: Socket): void {
    if (socket.destroyed) return;
    const connection = new Connection(socket, this.#parts, () => this.#open.delete(connection));
    this.#open.add(connection);
  }

  /** Closes the connections that have been idle for `drainIdleMs`. */
  closeIdle(): void {
    clearInterval(this.#sweeper);
    const now = this.#parts.clock.monotonic();
    for (const connection of this.#open) connection.closeIfIdle(now);
  }

  #sweep(): void {
    const now = this.#parts.clock.monotonic();
    for (const connection of this.#open) connection.endIfTimedOut(now);
  }
}

class Connection {
  readonly #socket: Socket;
  readonly #parts: SocketCarrierParts;
  readonly #peer: Peer;
  /** Shorter requests exceed no limit on their size. */
  readonly #bytesMax: number;
  readonly #onEnd: () => void;
  /**
   * The last request as text, and as it was read if it came at least twice: a client that polls sends the same
   * bytes again. On a connection of a proxy each request differs from the one before, and what is remembered of
   * it would only outlive collections of garbage.
   */
  #text = '';
  #request: Request | undefined;
  /** When it was opened, or when the last response was sent. */
  #idleSince: number;
  #hasAsked = false;
  /** A request waits for its turn, or for its response. */
  #isWaiting = false;
  /** The connection closes when the response under way has been sent. */
  #isLeaving = false;

  /** @param onEnd called when the connection is closed or passed on. */
  constructor(socket: Socket, parts: SocketCarrierParts, onEnd: () => void) {
    this.#socket = socket;
    this.#parts = parts;
    this.#peer = peerOf(socket);
    const { requestLineBytesMax, requestHeadBytesMax } = parts.limits;
    this.#bytesMax = Math.min(requestBytesMax, requestLineBytesMax, requestHeadBytesMax);
    this.#idleSince = parts.clock.monotonic();
    this.#onEnd = onEnd;
    socket.on('data', this.#read);
    socket.on('end', this.#endToo);
    socket.on('error', ignore);
    socket.on('close', onEnd);
  }

  /** Closes it if it has been idle for `drainIdleMs`, once its last response has been sent. */
  closeIfIdle(now: number): void {
    if (this.#isWaiting || now - this.#idleSince < this.#parts.limits.drainIdleMs) return;
    this.#isLeaving = true;
    this.#socket.destroySoon();
  }

  endIfTimedOut(now: number): void {
    const { headersTimeoutMs, keepAliveTimeoutMs, stalledSocketMs, timeoutCheckMs } =
      this.#parts.limits;
    // A client that reads slowly is not idle. The connection guard closes it if need be.
    if (this.#socket.writableLength > 0) this.#idleSince = now;
    const idleMs = now - this.#idleSince;
    if (this.#isWaiting) {
      if (idleMs > stalledSocketMs) this.#socket.destroy();
    } else if (!this.#hasAsked) {
      if (idleMs < headersTimeoutMs) return;
      this.#release();
      this.#parts.refuse(this.#socket, { name: 'request-too-slow' });
      // Like Node, later than announced: a client that trusts the announced time finds it open.
    } else if (idleMs > keepAliveTimeoutMs + timeoutCheckMs) this.#socket.destroy();
  }

  readonly #read = (chunk: Buffer): void => {
    if (this.#isWaiting) return this.#putBack(chunk);
    const { clock, queue, handler } = this.#parts;
    const begun = clock.monotonic();
    const request = this.#requestIn(chunk);
    if (request === undefined || handler().mayStream(request)) return this.#handOver(chunk);
    if (queue?.mustWait(begun) === true) this.#enqueue(request, begun);
    else this.#answer(request, begun);
  };

  /** Nothing further is read from the connection while its request waits. */
  #enqueue(request: Request, begun: number): void {
    const socket = this.#socket;
    this.#isWaiting = true;
    this.#idleSince = begun;
    socket.pause();
    const whenServed = (work: () => void) => (): void => {
      this.#isWaiting = false;
      if (!socket.writable) return;
      socket.resume();
      work();
      if (this.#isLeaving && !this.#isWaiting) socket.destroySoon();
    };
    this.#parts.queue?.add(this.#parts.handler().clientOf(request), {
      run: whenServed(() => this.#answer(request, begun)),
      shed: whenServed(() => {
        const handler = this.#parts.handler();
        this.#write(handler.shed(request), { handler, request, begun });
      }),
    });
  }

  #answer(request: Request, begun: number): void {
    const handler = this.#parts.handler();
    const to = { handler, request, begun };
    const ready = handler.respond(request);
    if (ready instanceof Promise) void this.#wait(ready, to);
    else this.#write(ready, to);
  }

  #requestIn(chunk: Buffer): Request | undefined {
    const post = readPlainPost(chunk, this.#bytesMax);
    if (post !== undefined) return toRequest(post.head, this.#peer, new WholeBody(post.body));
    if (chunk.length > this.#bytesMax) return undefined;
    const text = chunk.toString('latin1');
    const isRepeated = text === this.#text;
    if (isRepeated && this.#request !== undefined) return this.#request;
    const head = readPlainHead(text);
    const request = head === undefined ? undefined : toRequest(head, this.#peer);
    this.#text = text.length <= rememberedBytesMax ? text : '';
    this.#request = isRepeated ? request : undefined;
    return request;
  }

  async #wait(response: Promise<Response>, to: Addressee): Promise<void> {
    const socket = this.#socket;
    this.#isWaiting = true;
    this.#idleSince = this.#parts.clock.monotonic();
    const ready = await response;
    this.#isWaiting = false;
    if (!socket.writable) return;
    this.#write(ready, to);
    if (!this.#isLeaving && !this.#isBlocked) socket.resume();
  }

  #write(response: Response, { handler, request, begun }: Addressee): void {
    const socket = this.#socket;
    this.#hasAsked = true;
    const closes = this.#isLeaving || handler.closesAfter(request, response);
    this.#send(handler.heads.text(response, closes), response.body);
    const finish = (): void => {
      this.#idleSince = this.#parts.clock.monotonic();
      handler.finished(response, this.#idleSince - begun);
    };
    if (closes) {
      this.#isLeaving = true;
      socket.destroySoon();
    }
    if (!this.#isBlocked) return finish();
    // A client that does not read a response may not send the next request.
    const proceed = (): void => {
      socket.off('drain', proceed).off('close', proceed);
      finish();
      if (!this.#isLeaving) socket.resume();
    };
    socket.pause();
    socket.on('drain', proceed).on('close', proceed);
  }

  #send(head: string, body: Response['body']): void {
    const socket = this.#socket;
    const [first, ...others] = body;
    if (others.length === 0 && typeof first !== 'object') {
      socket.write(first === undefined ? head : head + first, 'latin1');
      return;
    }
    socket.cork();
    socket.write(typeof first === 'string' ? head + first : head, 'latin1');
    if (typeof first === 'object') socket.write(first);
    for (const part of others) socket.write(part, 'latin1');
    socket.uncork();
  }

  /** Whether the client has not read as much as it must before the next request. */
  get #isBlocked(): boolean {
    return this.#socket.writableNeedDrain && this.#socket.writableLength > 0;
  }

  /** Lets bytes wait in the socket until it is resumed. Nothing further is read from it before. */
  #putBack(chunk: Buffer): void {
    this.#socket.pause();
    this.#socket.unshift(chunk);
  }

  #handOver(chunk: Buffer): void {
    const socket = this.#socket;
    this.#release();
    socket.off('error', ignore);
    // The bytes that are put back wait until Node's server reads them.
    this.#putBack(chunk);
    this.#parts.handOver(socket);
    socket.resume();
  }

  /** Stops reading from it and watching it. */
  #release(): void {
    this.#socket.off('data', this.#read);
    this.#socket.off('end', this.#endToo);
    this.#socket.off('close', this.#onEnd);
    this.#onEnd();
  }

  readonly #endToo = (): void => {
    // The last response may be pending.
    if (this.#isWaiting) this.#isLeaving = true;
    else this.#socket.end();
  };
}

/** A request that waits for its response. */
interface Addressee {
  readonly handler: RequestHandler;
  readonly request: Request;
  readonly begun: number;
}

function ignore(): void {
  // A broken connection closes by itself.
}

function toRequest({ method, target, headers }: PlainHead, peer: Peer, body?: WholeBody): Request {
  return {
    peer,
    method,
    target,
    version: '1.1',
    headers,
    count: (name) => (name in headers ? 1 : 0),
    hasBody: body !== undefined,
    keepsAlive: true,
    headBytes: undefined,
    body,
    reading: undefined,
  };
}
