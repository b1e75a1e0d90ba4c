import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../lib/time/clock.ts';
import { Overloaded } from '../handler/response.ts';

/** Work that is done in slices, of some milliseconds each: it yields after each of them. */
export type Sliced<T> = AsyncGenerator<void, T, void>;

/** Work of one slice. */
export async function* oneSlice<T>(work: () => T | Promise<T>): Sliced<T> {
  yield* [];
  return await work();
}

/** The slices of one turn take about this long, so that a client with short ones waits for few turns of others. */
const turnMs = 5;

/** Limits of the reads of a listener. */
export interface ReadLimits {
  /** Maximum time that a read waits before it begins, in milliseconds. Then its requests get 503. */
  readonly readWaitMsMax: number;
  /** Maximum number of reads under way, because each of them builds a large response. Further reads wait. */
  readonly readsMax: number;
}

/** A read that waits or is under way. */
export interface QueuedRead<T> {
  /** Rejects with {@link Overloaded} if the read waited for too long, or was cancelled. */
  readonly result: Promise<T>;
  /** Lets another client wait for the read, too. It is done in the turns of both. */
  readonly join: (client: string) => void;
  /** Ends the read: nobody waits for it any more. A slice that is being read is completed. */
  readonly cancel: () => void;
}

/**
 * Reads for clients, in slices, one slice at a time. The clients take turns of some milliseconds, at least one slice
 * each, so a client whose reads take long waits for its own reads, and delays others by its turn. The reads of one
 * client are done one after the other.
 *
 * Between two slices the event loop turns, so that requests are answered that need no read.
 */
export class ReadQueue {
  readonly #limits: ReadLimits;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** The reads of each client, in order. The clients are in the order of their turns. */
  readonly #clients = new Map<string, Set<OwnRead>>();
  #underWay = 0;
  #working: Promise<void> | undefined;

  constructor(options: ReadLimits & { readonly clock: Pick<Clock, 'monotonic'> }) {
    this.#limits = options;
    this.#clock = options.clock;
  }

  /** Adds the read of a client. */
  add<T>(client: string, work: () => Sliced<T>): QueuedRead<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const clients = new Set<string>();
    let slices: Sliced<T> | undefined;
    let isOver = false;
    const end = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(waiting);
      if (slices !== undefined) this.#underWay -= 1;
      for (const name of clients) this.#remove(name, read);
      settle();
    };
    const begin = (): Sliced<T> => {
      clearTimeout(waiting);
      this.#underWay += 1;
      return work();
    };
    const read: OwnRead = {
      isOver: () => isOver,
      hasBegun: () => slices !== undefined,
      advance: async () => {
        try {
          const { done, value } = await (slices ??= begin()).next();
          if (done === true) end(() => resolve(value));
        } catch (fault) {
          end(() => reject(fault));
        }
      },
      cancel: () =>
        end(() => {
          reject(new Overloaded());
          // After the slice that is being read.
          void slices?.return(undefined as never);
        }),
    };
    const waiting = setTimeout(read.cancel, this.#limits.readWaitMsMax);
    const join = (name: string): void => {
      if (isOver) return;
      clients.add(name);
      this.#clients.getOrInsertComputed(name, () => new Set()).add(read);
    };
    join(client);
    this.#working ??= this.#work();
    return { result: promise, join, cancel: read.cancel };
  }

  /** Cancels all reads, and resolves when no slice is being read. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const reads of this.#clients.values()) for (const read of reads) read.cancel();
    await this.#working;
  }

  #remove(client: string, read: OwnRead): void {
    const reads = this.#clients.get(client);
    reads?.delete(read);
    if (reads?.size === 0) this.#clients.delete(client);
  }

  async #work(): Promise<void> {
    await nextTurn();
    for (let read = this.#next(); read !== undefined; read = this.#next()) {
      let spentMs = 0;
      do {
        const begunAt = this.#clock.monotonic();
        await read.advance();
        spentMs += this.#clock.monotonic() - begunAt;
        await nextTurn();
      } while (spentMs < turnMs && !read.isOver());
    }
    this.#working = undefined;
  }

  /** The first read of the client whose turn it is, of those that may go on. */
  #next(): OwnRead | undefined {
    for (const [client, reads] of this.#clients) {
      const [read] = reads;
      if (read === undefined) continue;
      if (!read.hasBegun() && this.#underWay >= this.#limits.readsMax) continue;
      this.#clients.delete(client);
      this.#clients.set(client, reads);
      return read;
    }
    return undefined;
  }
}

interface OwnRead {
  readonly isOver: () => boolean;
  readonly hasBegun: () => boolean;
  /** Reads the next slice. */
  readonly advance: () => Promise<void>;
  readonly cancel: () => void;
}
