import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import type { RejectedBar } from './history-source.ts';

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
interface IndexRequest {
  readonly index: IndexName;
  readonly from: PlainDate;
  /** Undefined: up to the last day that is published, which may be to come. */
  readonly to: PlainDate | undefined;
}

/** The values of an index, ascending, one a day. */
export interface IndexBatch {
  readonly values: readonly DayValue[];
  readonly rejected: readonly RejectedBar[];
}
