import type { Update } from '../../domain/quotes/update.ts';
import type { Rejected } from './feed.ts';

/** One line of a recording: what a source had sent at an instant of recorded time. */
export interface RecordedBatch {
  /** When it was recorded, in epoch milliseconds. Undefined where the line does not say. */
  readonly at: number | undefined;
  readonly updates: readonly Update[];
  readonly rejected: readonly Rejected[];
}

/** Reads one line of a recording; pure. */
export type LineMapper = (text: string) => RecordedBatch;
