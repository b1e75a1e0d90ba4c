import type { Update } from '../../domain/update.ts';

/** One line of a recording: what was known at an instant of recorded time. */
export interface RecordedBatch {
  /** When it was recorded, in epoch milliseconds. */
  readonly at: number;
  readonly updates: readonly Update[];
  /** What the line holds besides, and why it is no update. */
  readonly rejected: readonly Rejected[];
}

/** Why a line, or a part of one, is no update. */
export interface Rejected {
  readonly reason: RejectionReason;
  /** For operators. */
  readonly detail: string;
}

/** The reasons; labels for counting. */
export type RejectionReason =
  | 'line-too-long'
  | 'not-json'
  | 'unintelligible'
  /** Sound, but of nothing that has a ticker here. */
  | 'no-instrument'
  /** The buyer's price above the seller's: one of them is wrong, and nobody can say which. */
  | 'crossed';

/** Reads one line of a recording; pure. Undefined `at` when not even its instant can be read. */
export type LineMapper = (text: string) => RecordedBatch | { readonly rejected: Rejected };
