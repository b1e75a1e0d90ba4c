import type { EpochDay } from '../domain/plain-date.ts';
import type { Ticker } from '../domain/ticker.ts';
import type { Suspicion } from './jumps.ts';
import type { RefusalCode } from './import-refusal.ts';
import type { RejectReason } from './read-close.ts';

/**
 * What became of the closes that files offered: `read` is the sum of `added`, `changed`, `same` and
 * `rejected`. Suspicious ones are among them, each finding counted.
 */
export interface ImportCounts {
  read: number;
  added: number;
  changed: number;
  same: number;
  rejected: number;
  suspicious: number;
}

/** Counts of nothing. */
export function noCounts(): ImportCounts {
  return { read: 0, added: 0, changed: 0, same: 0, rejected: 0, suspicious: 0 };
}

/** Adds counts to others. */
export function addCounts(to: ImportCounts, counts: Readonly<ImportCounts>): void {
  to.read += counts.read;
  to.added += counts.added;
  to.changed += counts.changed;
  to.same += counts.same;
  to.rejected += counts.rejected;
  to.suspicious += counts.suspicious;
}

/** A row that was not taken. */
export interface Reject {
  readonly file: string;
  /** From 1, as an editor counts; in JSON, the place in the array. */
  readonly line: number;
  readonly reason: RejectReason;
  readonly detail?: string;
  /** The ticker, or the name in the file where the universe has no such instrument. */
  readonly instrument: string;
  readonly row: readonly string[];
}

/** A close that was taken and is worth a look. */
export interface SuspiciousClose {
  readonly file: string;
  readonly ticker: Ticker;
  readonly day: EpochDay;
  readonly suspicion: Suspicion;
  readonly close: number;
  /** The close before it, for a jump. */
  readonly previous?: number;
  readonly low?: number;
  readonly high?: number;
}

/** What became of one file. */
export type FileResult =
  | {
      readonly outcome: 'imported';
      readonly file: string;
      readonly layout: string;
      readonly counts: Readonly<ImportCounts>;
      readonly byTicker: ReadonlyMap<Ticker, Readonly<ImportCounts>>;
      /** Columns that the universe has no instrument for. */
      readonly columnsUnknown: readonly string[];
      /** Columns that nothing is read from, where a layout does not say so by its name. */
      readonly columnsUnused: readonly string[];
    }
  | {
      readonly outcome: 'refused';
      readonly file: string;
      readonly code: RefusalCode;
      readonly reason: string;
    }
  /** Left out on purpose: a symbolic link, a pipe. It is no failure of the import. */
  | { readonly outcome: 'skipped'; readonly file: string; readonly reason: string };

/** What became of an import. */
export interface ImportSummary {
  readonly files: readonly FileResult[];
  readonly totals: Readonly<ImportCounts>;
  readonly byTicker: ReadonlyMap<Ticker, Readonly<ImportCounts>>;
  /** How many rows were rejected for each reason, in words. */
  readonly byReason: ReadonlyMap<string, number>;
  /** The first {@link suspiciousListedMax} of them; `totals` counts all. */
  readonly suspicious: readonly SuspiciousClose[];
  readonly dryRun: boolean;
}

/** Most suspicious closes that a summary lists. */
export const suspiciousListedMax = 10_000;
