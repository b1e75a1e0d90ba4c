import type { Socket } from 'node:net';

import type { RequestHandler, UnreadError } from '../../handler/request-handler.ts';
import type { Departure, Peer, Request } from '../../handler/request.ts';
import type { Response } from '../../handler/response.ts';
import type { CarrierParts } from '../connection/request-queue.ts';
import { peerOf } from '../connection/transport.ts';
import { plainPost, LastRequest, ProxiedRequests, type RequestMemory } from './plain-request.ts';

/** Longer requests are left to Node. Usual ones have a tenth of this length. */
const requestBytesMax = 8 * 1024;

/**
 * Maximum time for the response to a client that has sent the end of the connection, in milliseconds. A client
 * that has left sends nothing else. Then the connection is closed, and what was read for the client is dropped.
 */
const halfClosedMs = 1_000;

/** What the socket carrier works with. */
export interface SocketCarrierParts extends CarrierParts {
  /** Whether an address is one of the operator's own proxies. */
  readonly isProxy: (address: string) => boolean;
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
  readonly #proxied = new ProxiedRequests();
  readonly #sweeper: NodeJS.Timeout;

  constructor(parts: SocketCarrierParts) {
    this.#parts = parts;
    this.#sweeper = setInterval(() => this.#sweep(), parts.limits.timeoutCheckMs).unref();
  }

  /** Reads from a connection from now on. */
  take(socket: Socket): void {
    if (socket.destroyed) return;
    const isProxy = this.#parts.isProxy(peerOf(socket).address);
    const connection = new Connection(socket, {
      parts: this.#parts,
      memory: isProxy ? this.#proxied : new LastRequest(),
      onEnd: () => this.#open.delete(connection),
    });
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

class Connection implements Departure {
  onLeave: Departure['onLeave'];
  readonly #socket: Socket;
  readonly #parts: SocketCarrierParts;
  readonly #peer: Peer;
  readonly #memory: RequestMemory;
  /** Shorter requests exceed no limit on their size. */
  readonly #bytesMax: number;
  readonly #onEnd: () => void;
  /** When it was opened, or when the last response was sent. */
  #idleSince: number;
  #hasAsked = false;
  /** A request waits for its turn, or for its response. */
  #isWaiting = false;
  /** The connection closes when the response under way has been sent. */
  #isLeaving = false;
  /** The client sends nothing more. It may have closed the connection, or wait for its last response. */
  #hasEnded = false;

  constructor(
    socket: Socket,
    {
      parts,
      memory,
      onEnd,
    }: {
      readonly parts: SocketCarrierParts;
      readonly memory: RequestMemory;
      /** Called when the connection is closed or passed on. */
      readonly onEnd: () => void;
    },
  ) {
    this.#socket = socket;
    this.#parts = parts;
    this.#peer = peerOf(socket);
    this.#memory = memory;
    const { requestLineBytesMax, requestHeadBytesMax } = parts.limits;
    this.#bytesMax = Math.min(requestBytesMax, requestLineBytesMax, requestHeadBytesMax);
    this.#idleSince = parts.clock.monotonic();
    this.#onEnd = onEnd;
    socket.on('data', this.#read);
    socket.on('end', this.#endToo);
    socket.on('error', ignore);
    socket.on('close', this.#close);
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
      const hasLeft = this.#hasEnded && this.onLeave !== undefined;
      if (idleMs > (hasLeft ? halfClosedMs : stalledSocketMs)) this.#socket.destroy();
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
    const ready = handler.respond(request, this);
    if (ready instanceof Promise) void this.#wait(ready, to);
    else this.#write(ready, to);
  }

  #requestIn(chunk: Buffer): Request | undefined {
    const post = plainPost(chunk, this.#bytesMax, this.#peer);
    if (post !== undefined || chunk.length > this.#bytesMax) return post;
    return this.#memory.read(chunk.toString('latin1'), this.#peer);
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
    this.#socket.off('close', this.#close);
    this.#onEnd();
  }

  readonly #close = (): void => {
    this.#onEnd();
    this.onLeave?.();
  };

  readonly #endToo = (): void => {
    // The last response may be pending.
    if (this.#isWaiting) {
      this.#isLeaving = true;
      this.#hasEnded = true;
    } else this.#socket.end();
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
