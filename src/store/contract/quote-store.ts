import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';

/**
 * Quotes, the closes of the sessions that they replaced, and the bars that they finished. They are stored
 * atomically.
 */
export interface QuoteCommit {
  /** At most one quote for each instrument. */
  readonly quotes: readonly StoredQuote[];
  readonly closes: readonly { readonly ticker: Ticker; readonly close: DailyClose }[];
  /** The instant of the commit, in epoch milliseconds, for the memory of changes. Absent only without closes. */
  readonly storedAt?: number;
  /** A bar replaces the stored bar of the same instrument and minute. Absent for none. */
  readonly bars?: readonly TickerBar[];
}

/** The instant of a commit with closes. */
export function instantOf({ storedAt }: Pick<QuoteCommit, 'storedAt'>): number {
  if (storedAt === undefined) throw new Error('a commit of closes has an instant');
  return storedAt;
}

/** Stores the latest quotes. Every method may reject with a {@link StoreFault}. */
export interface QuoteStore {
  /** The latest quote of every instrument, in no particular order. */
  readAll(): Promise<readonly StoredQuote[]>;

  /**
   * The latest quotes whose version is greater than `version`, ascending by version. Versions become
   * visible in their order: when a quote is visible, so are all quotes with lower versions, or newer
   * quotes of their instruments. So a reader that continues from the highest version it has misses
   * nothing.
   */
  readNewer(version: number): Promise<readonly StoredQuote[]>;

  /**
   * Stores quotes, closes and bars in one transaction. When the promise resolves, they survive a power
   * failure. When it rejects, none of them is stored, and the same commit may be retried, except after
   * `fenced`: another writer holds the claim, and its quotes may be newer.
   *
   * Returns the conflicts: the closes of other sources that the closes of the commit replaced. A
   * session has such a close only when it was stored by another program before the session's own.
   */
  commit(commit: QuoteCommit): Promise<readonly CloseConflict[]>;
}
