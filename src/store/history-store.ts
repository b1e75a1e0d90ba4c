import type { CloseSeries, DailyClose } from '../domain/daily-close.ts';
import type { EpochDay, PlainDate } from '../domain/plain-date.ts';
import type { ReferenceCloses } from '../domain/reference-closes.ts';
import type { Ticker } from '../domain/ticker.ts';

/** A range of days, both ends included. */
export interface DayRange {
  readonly from: EpochDay;
  readonly to: EpochDay;
}

/** Reads daily closes. Every method may reject with a {@link StoreFault} and nothing else. */
export interface HistoryReader {
  /** The closes of one instrument in a range, ascending; no rows for a ticker without history. */
  readSeries(ticker: Ticker, range: DayRange): Promise<CloseSeries>;

  /** The last close of each of these instruments; those without history are left out. */
  latestCloses(tickers: readonly Ticker[]): Promise<ReadonlyMap<Ticker, DailyClose>>;

  /** The reference closes of each of these sessions, in the same order. */
  referenceCloses(
    sessions: readonly { readonly ticker: Ticker; readonly sessionDate: PlainDate }[],
  ): Promise<readonly ReferenceCloses[]>;

  /**
   * The instruments whose closes changed after a revision, by whatever process, and the revision
   * reached. Cheap when nothing changed, so it may be asked several times a second.
   */
  changesSince(
    revision: number,
  ): Promise<{ readonly revision: number; readonly tickers: readonly Ticker[] }>;
}

/** Reads daily closes with all that is kept of them. May reject with a {@link StoreFault}. */
export interface CloseReader {
  /** The closes of one instrument in a range, ascending, whole; none for a ticker without history. */
  readCloses(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]>;
}

/** Writes daily closes. */
export interface HistoryWriter {
  /**
   * Runs `work` as one transaction: all that it put is visible and durable when this resolves, and
   * none of it when `work` rejects or the process dies before. Transactions of one writer queue up,
   * so `work` must not wait for another one.
   */
  transaction<T>(work: (transaction: HistoryTransaction) => Promise<T>): Promise<T>;
}

/** One open transaction; of no use after `work` has ended. */
export interface HistoryTransaction {
  /** The closes of one instrument in a range, ascending, with what this transaction has put. */
  read(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]>;

  /**
   * Adds closes, or replaces those of the same day whole: a field that is absent is absent from then
   * on. What is there already, just so, is no change. A put that fails spoils its transaction.
   */
  put(ticker: Ticker, closes: readonly DailyClose[]): Promise<void>;
}
