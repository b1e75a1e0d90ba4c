import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Rejected } from './feed.ts';

/** How long after a close the bar of its session may still change, in milliseconds. Before, it is not read. */
export const barSettleMs = 30 * 60_000;

/**
 * The daily history of a source. It reads one instrument a call and stores nothing: the caller
 * decides what to request, waits between requests, retries, and compares sources.
 */
export interface HistorySource {
  /** The name in the configuration. Stored with each close. */
  readonly name: string;
  /** The instruments whose history the source has, in the order of the universe. */
  readonly instruments: readonly Ticker[];
  /** The minimum time from one request to the next, in milliseconds. */
  readonly spacingMs: number;
  /**
   * Whether the closes are those that another Pizarra stores. They were judged there and are as traded, so
   * they are stored as they are, their corrections and the actions included. Absent: they are not.
   */
  readonly isCopy?: boolean;
  /**
   * Reads the closes of one instrument, oldest first. A day without a session has no close. A day
   * whose session has not ended is left out. Days outside the range may be included.
   *
   * @throws FeedFault as {@link Feed.batches} does. Its `retryAfterMs` is to be obeyed.
   */
  fetch(request: HistoryRequest, signal: AbortSignal): Promise<HistoryBatch>;
}

/** One request for daily closes; both days are included. */
export interface HistoryRequest {
  readonly ticker: Ticker;
  readonly from: PlainDate;
  readonly to: PlainDate;
}

/** Daily closes of one instrument as traded: not adjusted for splits or dividends. */
export interface HistoryBatch {
  readonly closes: readonly DailyClose[];
  readonly rejected: readonly Rejected[];
  /** The corporate actions of the range, where the source has them. */
  readonly actions?: readonly CorporateAction[];
}

/**
 * The daily values of indices that a source publishes, days to come included. It reads one index a call and
 * stores nothing: the caller decides what to request, waits between requests, and retries.
 */
export interface IndexSource {
  /** The name in the configuration. Stored with each value. */
  readonly name: string;
  readonly indices: readonly IndexName[];
  /** The minimum time from one call to the next, in milliseconds. */
  readonly spacingMs: number;
  /** Whether the values are those that another Pizarra stores, which has judged them. Absent: they are not. */
  readonly isCopy?: boolean;
  /**
   * Reads the values of one index. They may be of days outside the range.
   *
   * @throws FeedFault as {@link Feed.batches} does. Its `retryAfterMs` is to be obeyed.
   */
  fetch(request: IndexRequest, signal: AbortSignal): Promise<IndexBatch>;
}

/** One request for the values of an index; both days are included. */
export interface IndexRequest {
  readonly index: IndexName;
  readonly from: PlainDate;
  /** Undefined: up to the last day that is published, which may be to come. */
  readonly to: PlainDate | undefined;
}

/** The values of an index, ascending, one a day. */
export interface IndexBatch {
  readonly values: readonly DayValue[];
  readonly rejected: readonly Rejected[];
}
