import type { Update } from '../../domain/update.ts';

/** One line of a recording: the state at an instant of recorded time. */
export interface RecordedBatch {
  /** The instant of the recording, in epoch milliseconds. */
  readonly at: number;
  readonly updates: readonly Update[];
  /** The parts of the line that are not updates, with the reasons. */
  readonly rejected: readonly Rejected[];
}

/** Why a line, or a part of one, is not an update. */
export interface Rejected {
  readonly reason: RejectionReason;
  /** For operators. */
  readonly detail: string;
}

/** The reasons. They label the counts of rejected lines. */
export type RejectionReason =
  | 'line-too-long'
  | 'not-json'
  | 'unintelligible'
  /** Valid, but of something that is not an instrument of the universe. */
  | 'no-instrument'
  /** The buyer's price is above the seller's. It cannot be known which of the two is wrong. */
  | 'crossed';

/** Maps one line of a recording. Pure. The result has no `at` when the instant cannot be read. */
export type LineMapper = (text: string) => RecordedBatch | { readonly rejected: Rejected };
