import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { StaleSource } from '../../domain/quotes/sources-state.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { FeedBatch, FeedFault } from '../contract/feed.ts';
import { Arrivals } from '../net/arrivals.ts';

/** While so many bars wait for the next batch, no more are read from the origin. */
const waitingBarsMax = 50_000;

/**
 * What all streams have sent since the last batch. Every quote is whole, so of each instrument only the
 * latest one is kept, and of each minute only the latest state of its bar.
 */
export class PendingBatch extends Arrivals {
  readonly #updates = new Map<Ticker, Update>();
  readonly #bars = new Map<string, TickerBar>();
  /** Why parts of the feed give nothing now, by part. */
  readonly #outages = new Map<string, FeedFault>();
  #stale: readonly StaleSource[] | undefined;
  readonly #onTaken: (() => void)[] = [];

  /** Whether so many bars wait that no more should be added before a batch is taken. */
  get isFull(): boolean {
    return this.#bars.size > waitingBarsMax;
  }

  /** Adds a quote. It replaces the one of the same instrument. */
  add(update: Update): void {
    // Deleted first, so that the order is that of the latest quotes.
    this.#updates.delete(update.ticker);
    this.#updates.set(update.ticker, update);
    this.heard();
  }

  /** Adds bars of one instrument, ascending. A bar replaces the one of the same minute. */
  addBars(bars: readonly TickerBar[]): void {
    for (const one of bars) this.#bars.set(`${one.bar.minute} ${one.ticker}`, one);
    this.heard();
  }

  /** Notes why a part of the feed gives nothing, or with undefined that it does again. */
  outage(part: string, fault: FeedFault | undefined): void {
    if (fault === undefined) this.#outages.delete(part);
    else this.#outages.set(part, fault);
    this.heard();
  }

  /** Notes the sources of the origin that are stale. */
  stale(sources: readonly StaleSource[]): void {
    this.#stale = sources;
    this.heard();
  }

  /** Waits until the bars that wait were taken. @throws the reason of the signal when it aborts. */
  async taken(signal: AbortSignal): Promise<void> {
    if (this.#bars.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onTaken.push(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    signal.throwIfAborted();
  }

  /** Removes and returns what has come. */
  take(): FeedBatch {
    const [outage] = this.#outages.values();
    const bars = [...this.#bars.values()].toSorted((a, b) => a.bar.minute - b.bar.minute);
    const batch = {
      updates: [...this.#updates.values()],
      rejected: this.takeRejected(),
      ...(bars.length === 0 ? {} : { bars }),
      ...(outage === undefined ? {} : { outage }),
      ...(this.#stale === undefined ? {} : { stale: this.#stale }),
    };
    this.#updates.clear();
    this.#bars.clear();
    this.#stale = undefined;
    for (const resolve of this.#onTaken.splice(0)) resolve();
    return batch;
  }
}
