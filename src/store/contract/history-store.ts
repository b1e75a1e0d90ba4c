import type { BarSeries, CloseSeries, DailyClose } from '../../domain/history/daily-close.ts';
import type { EpochDay, PlainDate } from '../../domain/calendar/plain-date.ts';
import type { ReferenceCloses } from '../../domain/history/reference-closes.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { ChangeOrigin } from '../../domain/changes/version.ts';
import type { CloseVersion } from '../../domain/history/versions.ts';

/** A range of days, both ends included. */
export interface DayRange {
  readonly from: EpochDay;
  readonly to: EpochDay;
}

/** Reads daily closes. A method only rejects with a {@link StoreFault}. */
export interface HistoryReader {
  /** The closes of one instrument in a range, ascending. Empty for a ticker without history. */
  readSeries(ticker: Ticker, range: DayRange): Promise<CloseSeries>;

  /** As {@link readSeries}, with open, high and low. Reading them takes about twice as long. */
  readBars(ticker: Ticker, range: DayRange): Promise<BarSeries>;

  /** The number of closes of each of these instruments in a range. Counting takes a small part of the time of reading. */
  countCloses(tickers: readonly Ticker[], range: DayRange): Promise<readonly number[]>;

  /** The last close of each of these instruments. Instruments without history are omitted. */
  latestCloses(tickers: readonly Ticker[]): Promise<ReadonlyMap<Ticker, DailyClose>>;

  /** The reference closes of each of these sessions, in the same order. */
  referenceCloses(
    sessions: readonly { readonly ticker: Ticker; readonly sessionDate: PlainDate }[],
  ): Promise<readonly ReferenceCloses[]>;

  /**
   * The instruments whose closes changed after a revision, by any process, and the current revision.
   * The call is cheap when nothing changed, so it may be made several times a second.
   */
  changesSince(
    revision: number,
  ): Promise<{ readonly revision: number; readonly tickers: readonly Ticker[] }>;
}

/** Reads daily closes with all their fields. A method only rejects with a {@link StoreFault}. */
export interface CloseReader {
  /** The closes of one instrument in a range, ascending. Empty for a ticker without history. */
  readCloses(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]>;
}

/** What a transaction of history is noted with in the memory of changes. */
export interface ChangeStamp {
  readonly origin: ChangeOrigin;
  /** The time, in epoch milliseconds. It is read once, right before the commit of a change. */
  readonly now: () => number;
}

/** Writes daily closes. */
export interface HistoryWriter {
  /**
   * Runs `work` as one transaction. When the promise resolves, all closes that `work` has put are
   * visible and durable, and so is what they have replaced. When `work` rejects, or the process ends before,
   * none of them is stored. Transactions of a writer run one after another, so `work` must not wait for another
   * transaction.
   */
  transaction<T>(
    work: (transaction: HistoryTransaction) => Promise<T>,
    stamp: ChangeStamp,
  ): Promise<T>;
}

/** One open transaction. Its methods throw after `work` has ended. */
export interface HistoryTransaction {
  /** The closes of one instrument in a range, ascending, including those put in this transaction. */
  read(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]>;

  /**
   * Adds closes, or replaces those of the same day with all their fields: a field that is absent in
   * the new close is absent in the store. A close that is equal in all fields, its source included,
   * is not a change. What a change replaces is kept ({@link StoreMemory}), as far as it was visible: of several
   * puts of a day in one transaction, the last one counts. After a put that fails, the transaction cannot be
   * committed.
   */
  put(ticker: Ticker, closes: readonly DailyClose[]): Promise<void>;

  /**
   * Stores all closes of an instrument as they are, with their memory: those of a copy. What is stored of the
   * instrument already is replaced, and nothing of it is kept. A transaction that restores an instrument
   * neither reads nor puts closes of it.
   *
   * @param versions ascending by day, and for each day in the order in which they were stored. Only the last
   *   one of a day may lack the change that replaced it, and must.
   */
  restore(ticker: Ticker, versions: readonly CloseVersion[]): Promise<void>;
}

/**
 * Counts the changes of what is stored of instruments: of their closes, corporate actions and terms. A cache compares
 * the revision that it was made of, so that no change has to be reported to it.
 */
export class HistoryRevisions {
  #last = 0;
  readonly #of = new Map<Ticker, number>();

  /** The latest change of any instrument, as a number that only increases. */
  get last(): number {
    return this.#last;
  }

  /** The latest change of an instrument. */
  of(ticker: Ticker): number {
    return this.#of.get(ticker) ?? 0;
  }

  /** Notes a change of instruments. */
  increase(tickers: readonly Ticker[]): void {
    this.#last += 1;
    for (const ticker of tickers) this.#of.set(ticker, this.#last);
  }

  /** The latest change of any of these instruments, as a number that only increases. */
  latest(instruments: readonly { readonly ticker: Ticker }[]): number {
    return instruments.reduce((latest, one) => Math.max(latest, this.of(one.ticker)), 0);
  }
}
