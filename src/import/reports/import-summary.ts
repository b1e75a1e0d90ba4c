import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Doubt, Impossible, MoveName } from '../../domain/history/judge/judgement.ts';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FileActionCounts } from '../actions/file-actions.ts';
import type { RejectReason } from '../closes/read-close.ts';
import {
  adviceText,
  suggestionText,
  type Advice,
  type RefusalCode,
  type Suggestion,
} from '../refusals/import-refusal.ts';

/**
 * Counts of the closes in files: `read` is the sum of `added`, `changed`, `same` and `rejected`.
 * `suspicious` counts findings among the closes that were not rejected, and `replaced` the changed
 * closes that were of another source, with another price.
 */
export interface ImportCounts {
  read: number;
  added: number;
  changed: number;
  same: number;
  rejected: number;
  suspicious: number;
  replaced: number;
}

/** What an import counts and lists, of one file or of all. */
export class ImportTally {
  readonly counts: ImportCounts = noCounts();
  readonly byTicker = new Map<Ticker, ImportCounts>();
  /** The number of rejected rows for each reason, by the text of the reason. */
  readonly byReason = new Map<string, number>();
  /** The first {@link suspiciousListedMax} closes that should be reviewed. */
  readonly suspicious: SuspiciousClose[] = [];
  /** The first {@link replacedListedMax} closes that replaced one of another source. */
  readonly replaced: CloseConflict[] = [];

  count(name: keyof ImportCounts, ticker?: Ticker, times = 1): void {
    this.counts[name] += times;
    if (ticker !== undefined) this.#countsOf(ticker)[name] += times;
  }

  countReason(reason: string, times = 1): void {
    this.byReason.set(reason, (this.byReason.get(reason) ?? 0) + times);
  }

  review(close: SuspiciousClose): void {
    this.count('suspicious', close.ticker);
    if (this.suspicious.length < suspiciousListedMax) this.suspicious.push(close);
  }

  replace(conflict: CloseConflict): void {
    this.count('replaced', conflict.ticker);
    if (this.replaced.length < replacedListedMax) this.replaced.push(conflict);
  }

  /** Adds the tally of a file. */
  add({ counts, byTicker, byReason, suspicious, replaced }: ImportTally): void {
    addCounts(this.counts, counts);
    for (const [ticker, one] of byTicker) addCounts(this.#countsOf(ticker), one);
    for (const [reason, times] of byReason) this.countReason(reason, times);
    this.suspicious.push(...suspicious.slice(0, suspiciousListedMax - this.suspicious.length));
    this.replaced.push(...replaced.slice(0, replacedListedMax - this.replaced.length));
  }

  #countsOf(ticker: Ticker): ImportCounts {
    return this.byTicker.getOrInsertComputed(ticker, noCounts);
  }
}

function noCounts(): ImportCounts {
  return { read: 0, added: 0, changed: 0, same: 0, rejected: 0, suspicious: 0, replaced: 0 };
}

function addCounts(to: ImportCounts, counts: Readonly<ImportCounts>): void {
  for (const [name, count] of Object.entries(counts)) to[name as keyof ImportCounts] += count;
}

/** The number of closes that were stored or already known. */
export function acceptedIn({ added, changed, same }: Readonly<ImportCounts>): number {
  return added + changed + same;
}

/** A rejected row. */
export interface Reject {
  readonly file: string;
  /** Line number from 1, as in an editor. In JSON, the number of the element in the array. */
  readonly line: number;
  readonly reason: RejectReason;
  readonly detail?: string;
  /** The ticker, or the name in the file when the instrument is not in the universe. */
  readonly instrument: string;
  readonly row: readonly string[];
}

/**
 * Why a stored close should be reviewed: a doubt of the judge, the name of an unusual move, or another level
 * than the stored close of the day, which it replaces.
 */
type Suspicion = Doubt | Impossible | MoveName | 'far-from-stored';

/** A close that was imported and should be reviewed. */
export interface SuspiciousClose {
  readonly file: string;
  readonly ticker: Ticker;
  readonly day: EpochDay;
  readonly suspicion: Suspicion;
  readonly close: number;
  /** The last believed close before it, on the basis of the day; or the close that it replaces. */
  readonly previous?: number;
  readonly low?: number;
  readonly high?: number;
}

/** A file that was imported. */
export interface ImportedFile {
  readonly outcome: 'imported';
  readonly file: string;
  readonly layout: string;
  readonly counts: Readonly<ImportCounts>;
  readonly byTicker: ReadonlyMap<Ticker, Readonly<ImportCounts>>;
  /** Columns whose instruments are not in the universe. */
  readonly columnsUnknown: readonly string[];
  /** Columns whose names may be words, with what each may be and how to import it. */
  readonly columnsDoubtful: readonly string[];
  /** Columns that are not imported, for layouts whose columns are not fixed. */
  readonly columnsUnused: readonly string[];
  /** The columns of dividends and splits. */
  readonly columnsOfActions: readonly string[];
  /** Whether its closes are adjusted for dividends. */
  readonly isAdjusted: boolean;
  /** Absent without `--actions`: the columns are not read. */
  readonly actions?: FileActionCounts;
  /** The rows of the other tables of an export with changes, by their names. */
  readonly restored?: readonly (readonly [table: string, rows: number])[];
}

/** The result of one file. */
export type FileResult =
  | ImportedFile
  | {
      readonly outcome: 'refused';
      readonly file: string;
      readonly code: RefusalCode;
      /** The problem and the advice. */
      readonly reason: string;
      readonly problem: string;
      /** The end of the reason, for programs. */
      readonly advice?: Advice;
    }
  /** Skipped on purpose, such as a symbolic link or a pipe. This is not a failure. */
  | { readonly outcome: 'skipped'; readonly file: string; readonly reason: string };

/** The result of an import: its files, and what they have together. */
export interface ImportSummary extends Pick<
  ImportTally,
  'byTicker' | 'byReason' | 'suspicious' | 'replaced'
> {
  readonly files: readonly FileResult[];
  readonly totals: Readonly<ImportCounts>;
}

/** Whether something of a file was stored or already known. */
export function isAccepted(file: FileResult): boolean {
  if (file.outcome !== 'imported') return false;
  return acceptedIn(file.counts) > 0 || file.restored?.some(([, rows]) => rows > 0) === true;
}

/** Whether an import failed: a file was refused, or nothing was accepted or already known. */
export function hasFailed({ files }: ImportSummary): boolean {
  return files.some(({ outcome }) => outcome === 'refused') || !files.some(isAccepted);
}

/** Maximum number of suspicious closes in a summary. */
const suspiciousListedMax = 10_000;

/** Maximum number of replaced closes in a summary. */
const replacedListedMax = 10_000;

/** Advice that several refused files of one import share, such as a suffix. The operator reads it once. */
export class SharedAdvice {
  readonly #byKind = new Map<
    Advice['kind'],
    { readonly count: number; readonly suggestions: readonly Suggestion[] }
  >();

  /** Counts the advice of a refused file. Returns whether an earlier file has had it. */
  add({ kind, suggestions }: Advice): boolean {
    // A ticker is that of one file.
    const own = suggestions.filter((one) => !Object.hasOwn(one, 'ticker'));
    const texts = new Set(own.map(suggestionText));
    const known = this.#byKind.get(kind);
    const common = known?.suggestions.filter((one) => texts.has(suggestionText(one))) ?? [];
    const isShared = known !== undefined && common.length > 0;
    if (isShared) this.#byKind.set(kind, { count: known.count + 1, suggestions: common });
    else if (known === undefined) this.#byKind.set(kind, { count: 1, suggestions: own });
    return isShared;
  }

  /** One sentence for each advice of several files. */
  get sentences(): readonly string[] {
    return [...this.#byKind].flatMap(([kind, { count, suggestions }]) =>
      count > 1 ? [`${count} refused files: ${adviceText({ kind, suggestions })}.`] : [],
    );
  }
}
