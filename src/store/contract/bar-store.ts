import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { DayRange } from './history-store.ts';

/** Reads the bars of single minutes. Every method may reject with a `StoreFault`. */
export interface BarReader {
  /**
   * The bars of one instrument on the days of a range, ascending.
   *
   * @param sinceMinute bars of earlier minutes are left out. An integer, or -Infinity for none.
   */
  readBars(
    ticker: Ticker,
    range: DayRange & { readonly sinceMinute?: number },
  ): Promise<readonly Bar[]>;

  /** The latest day on which an instrument has a bar. */
  latestBarDay(ticker: Ticker): Promise<EpochDay | undefined>;
}

/** Stores the bars of single minutes. `QuoteStore.commit` adds them. */
export interface BarStore extends BarReader {
  /**
   * Takes one short step of housekeeping: it packs the bars of days that are over, or removes those of
   * the oldest sessions. A commit waits for at most one step.
   *
   * @returns whether a further step has work to do.
   */
  tidyBars(options: TidyOptions): Promise<boolean>;
}

/** The limits of the stored bars. */
export interface TidyOptions {
  /** A day is over when it has no bar at or after this minute. */
  readonly idleSince: number;
  /** Number of packed sessions of each instrument. Older ones are removed. With 0, all bars are removed. */
  readonly sessionsMax: number;
}
