import type { Rejected } from '../contract/feed.ts';

/** The maximum number of rejections that wait for the next batch. Further ones are dropped. */
const rejectedMax = 1_000;

/** Wakes the reader of a feed's batches when something has arrived, or when the feed has failed. */
export class Arrivals {
  #rejected: Rejected[] = [];
  /** Whether something has arrived since the last batch, with or without an update. */
  #hasNews = false;
  #fault: unknown;
  #wake: () => void = () => undefined;

  /** Notes that something has arrived: the next batch is due. */
  heard(): void {
    this.#hasNews = true;
    this.#wake();
  }

  /** Adds what has arrived and is not used. */
  reject(rejected: readonly Rejected[]): void {
    this.#rejected.push(...rejected.slice(0, rejectedMax - this.#rejected.length));
    this.heard();
  }

  /** Ends the batches with a fault, after what has arrived before it. The first fault counts. */
  fail(fault: unknown): void {
    this.#fault ??= fault;
    this.#wake();
  }

  /** Waits until the next batch is due. @throws the fault, or the reason of the signal when it aborts. */
  async ready(signal: AbortSignal): Promise<void> {
    while (!this.#hasNews) {
      if (this.#fault !== undefined) throw this.#fault;
      signal.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = () => resolve();
      signal.addEventListener('abort', this.#wake, { once: true });
      await promise;
      signal.removeEventListener('abort', this.#wake);
    }
  }

  /** Removes and returns the rejections. The next batch is due when more has arrived. */
  takeRejected(): readonly Rejected[] {
    const rejected = this.#rejected;
    this.#rejected = [];
    this.#hasNews = false;
    return rejected;
  }
}
