/** The bytes of a push: the whole body if it has arrived, or its chunks while they arrive. */
export type PushedBody = Uint8Array | AsyncIterable<Uint8Array>;

/** One refused element of a push, or one whose book was refused, with the reason. */
export interface PushRefusalReport {
  /** Line number in NDJSON, element number in an array; counted from 1. */
  readonly line: number;
  /** The ticker as it was sent, truncated when long. Absent when it could not be read. */
  readonly ticker?: string;
  readonly reason: string;
  /** More about the reason, for people. */
  readonly detail?: string;
}

/**
 * The counts of one push. Updates counted as accepted or unchanged are durable. Updates of an earlier
 * session, outside the market's hours, or superseded by another source change nothing. Received updates
 * that no other count includes may not be durable.
 */
export interface PushCounts {
  /** Lines or elements read. */
  readonly received: number;
  readonly accepted: number;
  /** Updates that repeat known values. */
  readonly unchanged: number;
  /** Updates of a session that is over. They do not change the quote. */
  readonly earlierSession: number;
  /** Updates outside the hours of the instrument's market. They change no quote and no close. */
  readonly offHours: number;
  /** Updates with only a book, of a session that has no price yet. They change nothing. */
  readonly noPriceYet: number;
  /** Updates whose price moved too far within the session. They wait for others that agree. */
  readonly held: number;
  /** Updates that repeat price, range and volume of the session before. They begin no session. */
  readonly repeatedSession: number;
  /** Updates of instruments for which a source with a higher priority is used. */
  readonly superseded: number;
  readonly refused: number;
  /** Accepted updates with a field of the book that cannot be true. That field is not shown. */
  readonly booksRefused: number;
  /** Accepted updates with an open, high, low or close that is too far from the last price. */
  readonly rangesRefused: number;
}

/** The counts of a push of which nothing was read, in the order of a report. */
export const zeroCounts: PushCounts = {
  received: 0,
  accepted: 0,
  unchanged: 0,
  earlierSession: 0,
  offHours: 0,
  noPriceYet: 0,
  held: 0,
  repeatedSession: 0,
  superseded: 0,
  refused: 0,
  booksRefused: 0,
  rangesRefused: 0,
};

/** The outcome of one push. */
export interface PushReport extends PushCounts {
  /** The first refusals, in order. */
  readonly refusals: readonly PushRefusalReport[];
  /** Number of refusals that are not listed. */
  readonly refusalsOmitted: number;
}

/** The report of a push of which nothing was read. */
export const emptyReport: PushReport = { ...zeroCounts, refusals: [], refusalsOmitted: 0 };

/** The outcome of a push, and the error that ended it early, if any. */
export interface PushResult {
  readonly report: PushReport;
  /** The error of the body or of the store. Absent when the whole push was read and is durable. */
  readonly stoppedBy?: unknown;
}
