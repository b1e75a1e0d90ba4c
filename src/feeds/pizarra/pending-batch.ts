import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { FeedBatch, Rejected } from '../contract/feed.ts';

/** The maximum number of rejections that wait for the next batch. Further ones are dropped. */
const rejectedMax = 1_000;

/**
 * What all streams have sent since the last batch. Every quote is whole, so of each instrument only the
 * latest one is kept, and the number of instruments bounds what waits.
 */
export class PendingBatch {
  readonly #updates = new Map<Ticker, Update>();
  #rejected: Rejected[] = [];
  #hasNews = false;
  #fault: unknown;
  #wake: () => void = () => undefined;

  /** Adds a quote. It replaces the one of the same instrument. */
  add(update: Update): void {
    // Deleted first, so that the order is that of the latest quotes.
    this.#updates.delete(update.ticker);
    this.#updates.set(update.ticker, update);
    this.heard();
  }

  reject(rejected: readonly Rejected[]): void {
    this.#rejected.push(...rejected.slice(0, rejectedMax - this.#rejected.length));
    this.heard();
  }

  /** Notes that the origin works: the next batch is due, with or without an update. */
  heard(): void {
    this.#hasNews = true;
    this.#wake();
  }

  /** Ends the batches with a fault. The first one counts. */
  fail(fault: unknown): void {
    this.#fault ??= fault;
    this.#wake();
  }

  /** Waits until there is something to take. @throws the fault. */
  async ready(signal: AbortSignal): Promise<void> {
    while (!this.#hasNews) {
      if (this.#fault !== undefined) throw this.#fault;
      signal.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
    }
  }

  /** Removes and returns what has come. */
  take(): FeedBatch {
    const batch = { updates: [...this.#updates.values()], rejected: this.#rejected };
    this.#updates.clear();
    this.#rejected = [];
    this.#hasNews = false;
    return batch;
  }
}
