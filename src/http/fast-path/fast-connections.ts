import type { Socket } from 'node:net';

import { errorAnswer } from '../../wire/error-texts.ts';
import { refuseConnection } from '../client-error.ts';
import type { HttpLimits } from '../http-limits.ts';
import type { FastAnswer, FastPath, FastRequest } from './fast-path.ts';

/** Longer requests are not for the short way. What clients send is a tenth of it. */
const requestBytesMax = 8 * 1024;

/** What connections are read with. */
export interface FastConnectionsParts {
  readonly limits: HttpLimits;
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
  #isClosed = false;

  constructor(parts: FastConnectionsParts) {
    this.#parts = parts;
    this.#sweeper = setInterval(() => this.#sweep(), parts.limits.timeoutCheckMs).unref();
  }

  /** Reads from a connection from now on. */
  take(socket: Socket): void {
    if (socket.destroyed) return;
    if (this.#isClosed || this.#parts.fastPath() === undefined) {
      this.#parts.handOver(socket);
      return;
    }
    const connection = new FastConnection(socket, this.#parts, () => this.#open.delete(connection));
    this.#open.add(connection);
  }

  /** Lets every connection go once it has what it asked for. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    for (const connection of this.#open) connection.leave();
  }

  #sweep(): void {
    const now = performance.now();
    for (const connection of this.#open) connection.endIfSilent(now);
  }
}

class FastConnection {
  readonly #socket: Socket;
  readonly #parts: FastConnectionsParts;
  readonly #onEnd: () => void;
  /** The last request and how it was understood: one who polls sends the same bytes again. */
  #text = '';
  #request: FastRequest | undefined;
  #understoodBy: FastPath | undefined;
  /** When it was opened, or answered last. */
  #quietSince = performance.now();
  #hasAsked = false;
  /** Its answer has to be read or made first. */
  #isWaiting = false;
  #isLeaving = false;

  /** @param onEnd told when it is somebody else's, or nobody's. */
  constructor(socket: Socket, parts: FastConnectionsParts, onEnd: () => void) {
    this.#socket = socket;
    this.#parts = parts;
    this.#onEnd = onEnd;
    socket.on('data', this.#read);
    socket.on('end', this.#endToo);
    socket.on('error', this.#ignore);
    socket.on('close', onEnd);
  }

  /** Ends it when its last answer has gone out. */
  leave(): void {
    this.#isLeaving = true;
    if (!this.#isWaiting) this.#socket.destroySoon();
  }

  endIfSilent(now: number): void {
    // Who takes an answer slowly is not silent; the guard looks after them all.
    if (this.#isWaiting || this.#socket.writableLength > 0) return;
    const { headersTimeoutMs, keepAliveTimeoutMs, timeoutCheckMs } = this.#parts.limits;
    const silence = now - this.#quietSince;
    if (!this.#hasAsked) {
      if (silence < headersTimeoutMs) return;
      this.#letGo();
      refuseConnection(this.#socket, errorAnswer('request-too-slow'), { lingerMs: 0 });
      // As Node does, later than announced: so a client that believes it meets no closing door.
    } else if (silence > keepAliveTimeoutMs + timeoutCheckMs) this.#socket.destroy();
  }

  readonly #read = (chunk: Buffer): void => {
    const begun = performance.now();
    const fastPath = this.#parts.fastPath();
    const request = fastPath === undefined ? undefined : this.#understand(chunk, fastPath);
    if (fastPath === undefined || request === undefined) return this.#handOver(chunk);
    const answer = fastPath.answer(request);
    if (answer === undefined) return this.#handOver(chunk);
    const write = (ready: FastAnswer): void => {
      this.#write(ready);
      this.#hasAsked = true;
      this.#quietSince = performance.now();
      fastPath.note(request, ready, (this.#quietSince - begun) / 1_000);
    };
    if (answer instanceof Promise) void this.#wait(answer, chunk, write);
    else write(answer);
  };

  #understand(chunk: Buffer, fastPath: FastPath): FastRequest | undefined {
    if (chunk.length > requestBytesMax) return undefined;
    const text = chunk.toString('latin1');
    if (text !== this.#text || fastPath !== this.#understoodBy) {
      this.#request = fastPath.understand(text, this.#socket);
      this.#text = text;
      this.#understoodBy = fastPath;
    }
    return this.#request;
  }

  async #wait(
    answer: Promise<FastAnswer>,
    chunk: Buffer,
    write: (answer: FastAnswer) => void,
  ): Promise<void> {
    const socket = this.#socket;
    this.#isWaiting = true;
    socket.pause();
    const ready = await answer.catch(() => undefined);
    this.#isWaiting = false;
    if (socket.destroyed) return;
    if (ready === undefined) {
      this.#handOver(chunk);
      return;
    }
    write(ready);
    if (this.#isLeaving) socket.destroySoon();
    else if (!this.#isBlocked) socket.resume();
  }

  #write({ head, parts }: FastAnswer): void {
    const socket = this.#socket;
    const [first, ...others] = parts;
    if (others.length === 0 && typeof first !== 'object') {
      socket.write(first === undefined ? head : head + first, 'latin1');
    } else {
      socket.cork();
      socket.write(typeof first === 'string' ? head + first : head, 'latin1');
      if (typeof first === 'object') socket.write(first);
      for (const part of others) socket.write(part, 'latin1');
      socket.uncork();
    }
    // Who does not take an answer may not ask for the next.
    if (this.#isBlocked) {
      socket.pause();
      socket.once('drain', this.#goOn);
    }
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

  readonly #goOn = (): void => {
    this.#socket.resume();
  };

  readonly #endToo = (): void => {
    this.#socket.end();
  };

  /** A connection that breaks closes, and nothing is left to be done. */
  readonly #ignore = (): void => undefined;
}
