/** Why one thing that was pushed is no part of any quote. */
export interface PushRefusalReport {
  /** Of NDJSON the line, of an array the element, from 1. */
  readonly line: number;
  /** As it was sent, where it could be read, and cut where it is long. */
  readonly ticker?: string;
  readonly reason: string;
  /** For people, where the reason needs one. */
  readonly detail?: string;
}

/**
 * What became of the updates of one push. Those that are counted as accepted or unchanged are
 * durable; those of an earlier session or outside the hours change nothing. What was received and is
 * counted nowhere else is not known to be durable.
 */
export interface PushReport {
  /** Lines or elements that were read. */
  readonly received: number;
  readonly accepted: number;
  /** Said nothing new. */
  readonly unchanged: number;
  /** Of a session that is over: kept out of the quote. */
  readonly earlierSession: number;
  /** Outside the hours of the instrument's market: kept out of every quote and close. */
  readonly offHours: number;
  readonly refused: number;
  /** The first of the refused, in order. */
  readonly refusals: readonly PushRefusalReport[];
  /** How many more were refused than are listed. */
  readonly refusalsOmitted: number;
}

/** A push that was read to its end, or what kept it from that. */
export interface PushResult {
  readonly report: PushReport;
  /** What was thrown by the body or by the store; absent when all was read and is durable. */
  readonly stoppedBy?: unknown;
}
