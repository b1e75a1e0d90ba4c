import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { ActionVersion, CloseVersion, TermsVersion } from '../../domain/history/versions.ts';
import type { DayRange } from './history-store.ts';

/**
 * Reads what is stored and what it replaced, with the changes that did so. Every method may reject with a
 * {@link StoreFault}. The memory of indices is in `IndexStore`.
 */
export interface StoreMemory {
  /**
   * The versions of the closes of one instrument in a range of days, ascending by day, and for each day in
   * the order in which they were stored.
   */
  readCloses(ticker: Ticker, range: DayRange): Promise<readonly CloseVersion[]>;

  /**
   * The number of closes of each of these instruments in a range that were stored at an instant, in epoch milliseconds.
   * Where a clock was set back, the number is about right.
   */
  countCloses(
    tickers: readonly Ticker[],
    range: DayRange,
    instant: number,
  ): Promise<readonly number[]>;

  /**
   * The versions of all corporate actions, ascending by ticker, ex date and type, and for each of them in the order
   * in which they were stored.
   */
  readActions(): Promise<readonly ActionVersion[]>;

  /**
   * The versions of the terms of all issues, ascending by ticker, and for each issue in the order in which they were
   * stored.
   */
  readTerms(): Promise<readonly TermsVersion[]>;

  /**
   * The first instant at which a close of the instrument was stored, as far as it is known, in epoch
   * milliseconds. Undefined without closes.
   */
  knownSince(ticker: Ticker): Promise<number | undefined>;

  /** The instant at which the store was created, in epoch milliseconds: nothing is known about the time before it. */
  began(): Promise<number>;
}
