import type { DailyClose } from '../domain/daily-close.ts';
import type { StoredQuote } from '../domain/stored-quote.ts';
import type { Ticker } from '../domain/ticker.ts';

/** What is kept together or not at all: quotes, and the closes of the sessions they left behind. */
export interface QuoteCommit {
  /** At most one an instrument. */
  readonly quotes: readonly StoredQuote[];
  readonly closes: readonly { readonly ticker: Ticker; readonly close: DailyClose }[];
}

/** Keeps the latest quotes. Every method may reject with a {@link StoreFault}. */
export interface QuoteStore {
  /** All that was committed, in no particular order. */
  readAll(): Promise<readonly StoredQuote[]>;

  /**
   * Keeps quotes and closes in one transaction. When this resolves, they survive the loss of power;
   * when it rejects, none of them is there, and the same commit may be tried again.
   */
  commit(commit: QuoteCommit): Promise<void>;
}
