import type { Socket } from 'node:net';

import { errorAnswer } from '../../wire/error-texts.ts';
import { refuseConnection } from '../client-error.ts';
import type { HttpLimits } from '../http-limits.ts';
import type { RequestQueue } from '../request-queue.ts';
import type { StopPhase } from '../stop/stop-phase.ts';
import { closing } from './fast-path.ts';
import type { FastAnswer, FastPath, FastRequest } from './fast-path.ts';

/** Longer requests are not for the short way. What clients send is a tenth of it. */
const requestBytesMax = 8 * 1024;

/** Up to this length the last request of a connection is remembered. */
const keptBytesMax = 1_024;

/** What connections are read with. */
export interface FastConnectionsParts {
  readonly limits: HttpLimits;
  readonly phase: StopPhase;
  readonly queue: RequestQueue;
  /** The short way in force; undefined while there is none. */
  readonly fastPath: () => FastPath | undefined;
  /** Gives a connection to Node's HTTP server, which reads it from then on. */
  readonly handOver: (socket: Socket) => void;
}

/**
 * The connections whose client has asked for nothing yet but what the short way answers. Each is
 * read here, request by request, until something comes that is not for it: a path of another kind, a
 * part of a request, or more than one. Then the connection is Node's, with all that was not answered,
 * for the rest of its life.
 *
 * So a part of a request never waits here, and nothing is ever left over from one: the limits on the
 * size and the slowness of requests, and all care about where one ends, are Node's own. Only silence
 * is looked after here, as there.
 */
export class FastConnections {
  readonly #parts: FastConnectionsParts;
  readonly #open = new Set<FastConnection>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(parts: FastConnectionsParts) {
    this.#parts = parts;
    this.#sweeper = setInterval(() => this.#sweep(), parts.limits.timeoutCheckMs).unref();
  }

  /** Reads from a connection from now on. */
  take(socket: Socket): void {
    if (socket.destroyed) return;
    if (this.#parts.phase.isDraining || this.#parts.fastPath() === undefined) {
      this.#parts.handOver(socket);
      return;
    }
    const connection = new FastConnection(socket, this.#parts, () => this.#open.delete(connection));
    this.#open.add(connection);
  }

  /** Closes the connections that have been idle for `drainIdleMs`. */
  closeIdle(): void {
    clearInterval(this.#sweeper);
    const now = performance.now();
    for (const connection of this.#open) connection.leaveIfIdle(now);
  }

  #sweep(): void {
    const now = performance.now();
    for (const connection of this.#open) connection.endIfSilent(now);
  }
}

class FastConnection {
  readonly #socket: Socket;
  readonly #parts: FastConnectionsParts;
  /** Within it, none of the limits on a request's size can be exceeded. */
  readonly #bytesMax: number;
  readonly #onEnd: () => void;
  /** The last request and how it was understood: one who polls sends the same bytes again. */
  #text = '';
  #request: FastRequest | undefined;
  #understoodBy: FastPath | undefined;
  /** When it was opened, or answered last. */
  #quietSince = performance.now();
  #hasAsked = false;
  /** Its request waits for its turn, or its answer has to be read or made first. */
  #isWaiting = false;
  #isLeaving = false;

  /** @param onEnd told when it is somebody else's, or nobody's. */
  constructor(socket: Socket, parts: FastConnectionsParts, onEnd: () => void) {
    this.#socket = socket;
    this.#parts = parts;
    const { requestLineBytesMax, requestHeadBytesMax } = parts.limits;
    this.#bytesMax = Math.min(requestBytesMax, requestLineBytesMax, requestHeadBytesMax);
    this.#onEnd = onEnd;
    socket.on('data', this.#read);
    socket.on('end', this.#endToo);
    socket.on('error', this.#ignore);
    socket.on('close', onEnd);
  }

  /** Closes it if it has been idle for `drainIdleMs`, once its last response has gone out. */
  leaveIfIdle(now: number): void {
    if (this.#isWaiting || now - this.#quietSince < this.#parts.limits.drainIdleMs) return;
    this.#isLeaving = true;
    this.#socket.destroySoon();
  }

  endIfSilent(now: number): void {
    const { headersTimeoutMs, keepAliveTimeoutMs, stalledSocketMs, timeoutCheckMs } =
      this.#parts.limits;
    // Who takes an answer slowly is not silent; the guard looks after them all.
    if (this.#socket.writableLength > 0) this.#quietSince = now;
    const silence = now - this.#quietSince;
    if (this.#isWaiting) {
      if (silence > stalledSocketMs) this.#socket.destroy();
    } else if (!this.#hasAsked) {
      if (silence < headersTimeoutMs) return;
      this.#letGo();
      refuseConnection(this.#socket, errorAnswer('request-too-slow'), { lingerMs: 0 });
      // As Node does, later than announced: so a client that believes it meets no closing door.
    } else if (silence > keepAliveTimeoutMs + timeoutCheckMs) this.#socket.destroy();
  }

  readonly #read = (chunk: Buffer): void => {
    const begun = performance.now();
    if (this.#parts.queue.mustWait(begun)) this.#enqueue(chunk, begun);
    else this.#answer(chunk, begun);
  };

  /** Has a request wait for its turn. What follows on this connection is not read meanwhile. */
  #enqueue(chunk: Buffer, begun: number): void {
    const fastPath = this.#parts.fastPath();
    const request = fastPath === undefined ? undefined : this.#tryUnderstanding(chunk, fastPath);
    if (fastPath === undefined || request === undefined) return this.#handOver(chunk);
    const socket = this.#socket;
    this.#isWaiting = true;
    this.#quietSince = begun;
    socket.pause();
    const then = (work: () => void) => (): void => {
      this.#isWaiting = false;
      if (!socket.writable) return;
      socket.resume();
      work();
      if (this.#isLeaving && !this.#isWaiting) socket.destroySoon();
    };
    this.#parts.queue.add(fastPath.clientOf(request), {
      run: then(() => this.#answer(chunk, begun)),
      shed: then(() => {
        this.#write(fastPath.shed(request), (answer) => {
          this.#quietSince = performance.now();
          fastPath.note(request, answer, (this.#quietSince - begun) / 1_000);
        });
      }),
    });
  }

  #tryUnderstanding(chunk: Buffer, fastPath: FastPath): FastRequest | undefined {
    try {
      return this.#understand(chunk, fastPath);
    } catch {
      // Whatever it was, the framework meets it too, and has a way to tell.
      return undefined;
    }
  }

  #answer(chunk: Buffer, begun: number): void {
    const fastPath = this.#parts.fastPath();
    if (fastPath === undefined) return this.#handOver(chunk);
    let request: FastRequest | undefined;
    let answer: FastAnswer | Promise<FastAnswer> | undefined;
    try {
      request = this.#understand(chunk, fastPath);
      answer = request === undefined ? undefined : fastPath.answer(request);
    } catch {
      // Whatever it was, the framework meets it too, and has a way to tell.
    }
    if (request === undefined || answer === undefined) {
      // It has waited for its turn, if it had to.
      this.#parts.queue.admit(this.#socket);
      return this.#handOver(chunk);
    }
    const asked = request;
    const finish = (ready: FastAnswer): void => {
      this.#quietSince = performance.now();
      fastPath.note(asked, ready, (this.#quietSince - begun) / 1_000);
    };
    if (answer instanceof Promise) void this.#wait(answer, finish);
    else this.#write(answer, finish);
  }

  #understand(chunk: Buffer, fastPath: FastPath): FastRequest | undefined {
    if (chunk.length > this.#bytesMax) return undefined;
    const text = chunk.toString('latin1');
    if (text === this.#text && fastPath === this.#understoodBy) return this.#request;
    const request = fastPath.understand(text, this.#socket);
    const isKept = text.length <= keptBytesMax;
    this.#text = isKept ? text : '';
    this.#request = isKept ? request : undefined;
    this.#understoodBy = fastPath;
    return request;
  }

  /** @param answer never rejects. */
  async #wait(answer: Promise<FastAnswer>, finish: (answer: FastAnswer) => void): Promise<void> {
    const socket = this.#socket;
    this.#isWaiting = true;
    this.#quietSince = performance.now();
    socket.pause();
    const ready = await answer;
    this.#isWaiting = false;
    if (!socket.writable) return;
    if (this.#parts.phase.isDraining) this.#isLeaving = true;
    this.#write(this.#isLeaving ? closing(ready) : ready, finish);
    if (this.#isLeaving) socket.destroySoon();
    else if (!this.#isBlocked) socket.resume();
  }

  /** @param finish told when the client has taken the answer, or will not take it any more. */
  #write(answer: FastAnswer, finish: (answer: FastAnswer) => void): void {
    this.#hasAsked = true;
    this.#send(answer);
    if (!this.#isBlocked) {
      finish(answer);
      return;
    }
    // Who does not take an answer may not ask for the next.
    const socket = this.#socket;
    const goOn = (): void => {
      socket.off('drain', goOn).off('close', goOn);
      finish(answer);
      if (!this.#isLeaving) socket.resume();
    };
    socket.pause();
    socket.on('drain', goOn).on('close', goOn);
  }

  #send({ head, parts }: FastAnswer): void {
    const socket = this.#socket;
    const [first, ...others] = parts;
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

  /** Whether more waits to be taken than is taken at once. */
  get #isBlocked(): boolean {
    return this.#socket.writableNeedDrain && this.#socket.writableLength > 0;
  }

  #handOver(chunk: Buffer): void {
    const socket = this.#socket;
    this.#letGo();
    socket.off('error', this.#ignore);
    // What is put back waits until its next reader is there.
    socket.pause();
    socket.unshift(chunk);
    this.#parts.handOver(socket);
    socket.resume();
  }

  /** Reads no more from it, and looks after it no more. */
  #letGo(): void {
    this.#socket.off('data', this.#read);
    this.#socket.off('end', this.#endToo);
    this.#socket.off('close', this.#onEnd);
    this.#onEnd();
  }

  readonly #endToo = (): void => {
    // Its last answer may be still to come.
    if (this.#isWaiting) this.#isLeaving = true;
    else this.#socket.end();
  };

  /** A connection that breaks closes, and nothing is left to be done. */
  readonly #ignore = (): void => undefined;
}
