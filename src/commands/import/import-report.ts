import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { usualFactor } from '../../domain/history/action-evidence.ts';
import { doubtTexts, impossibleTexts } from '../../domain/history/judge/judgement.ts';
import { leftOutReasons, type FileActionCounts } from '../../import/actions/file-actions.ts';
import type { ImportProgress } from '../../import/importer.ts';
import {
  SharedAdvice,
  isAccepted,
  type FileResult,
  type ImportCounts,
  type ImportSummary,
  type SuspiciousClose,
} from '../../import/reports/import-summary.ts';
import { firstOf } from '../../lib/text/first-of.ts';
import { printable } from '../../lib/text/printable.ts';
import { actionValue, unitsText } from '../actions/action-texts.ts';
import { formatCount, listed } from '../form/report.ts';

/** Maximum number of closes and of corporate actions of each kind that are shown without `--verbose`. */
const shownMax = 20;

/** Maximum number of columns that the line of a file names. */
const columnsShownMax = 5;

/** Maximum length of the line of a file, in characters. A heading may be as long as a row. */
const lineCharsMax = 5_000;

/** Width of the progress bar, in characters. */
const barWidth = 24;

/**
 * The progress of one file as one line, without a line end. For a stream of unknown size the line has
 * no bar.
 */
export function formatProgress({ file, bytesRead, bytesTotal, rowsRead }: ImportProgress): string {
  const rows = `${formatCount(rowsRead)} rows`;
  const name = shortName(printable(file));
  if (bytesTotal === undefined || bytesTotal === 0) return `${name}  ${rows}`;
  const part = Math.min(1, bytesRead / bytesTotal);
  const filled = Math.round(part * barWidth);
  const bar = '#'.repeat(filled) + '-'.repeat(barWidth - filled);
  return `[${bar}] ${String(Math.floor(part * 100)).padStart(3)}%  ${rows}  ${name}`;
}

/**
 * The result of one file, as one printable line without a line end. Advice that an earlier file has had is left
 * to the summary.
 */
export function formatFile(result: FileResult, shared = new SharedAdvice()): string {
  const line = lineOf(result, shared);
  return printable(line.length > lineCharsMax ? `${line.slice(0, lineCharsMax)}…` : line);
}

function lineOf(result: FileResult, shared: SharedAdvice): string {
  if (result.outcome === 'refused') {
    const { file, reason, problem, advice } = result;
    const isKnown = advice !== undefined && shared.add(advice);
    return `refused   ${file}: ${isKnown ? problem : reason}`;
  }
  if (result.outcome === 'skipped') return `left out  ${result.file}: ${result.reason}`;
  const { file, layout, counts, byTicker, columnsUnknown, columnsUnused } = result;
  const { columnsOfActions, actions, isAdjusted, restored = [] } = result;
  const doubtful = result.columnsDoubtful.map((one) => `; left out: ${one}`).join('');
  const tickers = [...byTicker.keys()];
  const shown = tickers.length > 3 ? `${tickers.length} instruments` : tickers.join(', ');
  const left = `${formatColumns('not in the universe', columnsUnknown)}${doubtful}${formatColumns('columns not used', columnsUnused)}${actionsPart(columnsOfActions, actions)}`;
  const others = restored.map(([table, rows]) => `; ${table} ${formatCount(rows)}`).join('');
  const outcome = isAccepted(result) ? 'imported' : 'rejected';
  const warning = isAdjusted ? '; adjusted for dividends' : '';
  return `${outcome}  ${file} (${layout}) ${shown}: ${formatCounts(counts)}${warning}${others}${left}`;
}

/** The result of an import as lines. */
export function summaryLines(
  summary: ImportSummary,
  {
    rejectsFile,
    verbose,
    dryRun = false,
  }: {
    readonly rejectsFile: string | undefined;
    readonly verbose: boolean;
    readonly dryRun?: boolean;
  },
): readonly string[] {
  const { files, totals, byReason, byTicker, suspicious, replaced } = summary;
  const countOf = (wanted: FileResult['outcome']) =>
    files.filter(({ outcome }) => outcome === wanted).length;
  const skipped = countOf('skipped');
  const rejected = files.filter((file) => file.outcome === 'imported' && !isAccepted(file)).length;
  const max = verbose ? Infinity : shownMax;
  const shared = new SharedAdvice();
  for (const file of files) {
    if (file.outcome === 'refused' && file.advice !== undefined) shared.add(file.advice);
  }
  return [
    ...listed('Suspicious closes, kept:', suspicious.map(formatSuspicious), max, {
      count: totals.suspicious,
    }),
    ...listed(
      `Closes of other sources that were replaced: ${formatCount(totals.replaced)}`,
      replaced.map(
        ({ ticker, day, stored, storedSource, offered }) =>
          `${ticker} ${fromEpochDay(day)}: ${stored} of ${storedSource ?? 'an unknown source'} by ${offered}`,
      ),
      max,
      { count: totals.replaced },
    ),
    ...(verbose
      ? listed(
          'By instrument:',
          Array.from(byTicker, ([ticker, counts]) => `${ticker}: ${formatCounts(counts)}`),
          max,
        )
      : []),
    ...listed(
      `Rejected rows${rejectsFile === undefined ? '' : `, in ${rejectsFile}`}:`,
      Array.from(byReason, ([reason, count]) => `${formatCount(count)}: ${reason}`),
      Infinity,
    ),
    ...adjustedLines(files),
    ...actionLines(files, max),
    ...shared.sentences,
    `${dryRun ? 'Dry run, nothing stored. ' : ''}Files: ${countOf('imported') - rejected} imported, ${countOf('refused')} refused${rejected === 0 ? '' : `, ${rejected} without an accepted row`}${skipped === 0 ? '' : `, ${skipped} left out`}.`,
    `Closes: ${formatCounts(totals)}.`,
  ].map(printable);
}

/** What an operator can do about closes from which the dividends are subtracted, and their files. */
function adjustedLines(files: readonly FileResult[]): readonly string[] {
  const adjusted = files.filter((file) => file.outcome === 'imported' && file.isAdjusted);
  if (adjusted.length === 0) return [];
  return [
    'Warning: the closes of these files are adjusted for dividends, and not as traded. yfinance adjusts them unless auto_adjust=False is set, and then the files have a column "Adj Close":',
    ...adjusted.map(({ file }) => `  ${file}`),
  ];
}

/** `read 832, added 830, changed 0, same 0, rejected 2, suspicious 5` */
function formatCounts(counts: Readonly<ImportCounts>): string {
  return (['read', 'added', 'changed', 'same', 'rejected', 'suspicious'] as const)
    .map((name) => `${name} ${formatCount(counts[name])}`)
    .join(', ');
}

function formatSuspicious(one: SuspiciousClose): string {
  const { ticker, day, suspicion, close, previous, low, high } = one;
  const start = `${ticker} ${fromEpochDay(day)}: ${close}`;
  const after = previous === undefined ? '' : ` after ${previous}`;
  switch (suspicion) {
    case 'jump': {
      const percent = previous === undefined ? 0 : (close / previous - 1) * 100;
      return `${start} is ${percent > 0 ? '+' : ''}${percent.toFixed(1)} % from ${previous} before`;
    }
    case 'out-of-range':
    case 'wide-range':
      return `${start} in ${low ?? '?'} to ${high ?? '?'}: ${doubtTexts[suspicion]}`;
    case 'unrecorded-split': {
      const factor = usualFactor(previous ?? close, close);
      const units = factor === undefined ? '' : ` (${unitsText(factor)})`;
      return `${start}${after}${units}: ${doubtTexts[suspicion]}`;
    }
    case 'not-finite':
    case 'not-positive':
      return `${start}: ${impossibleTexts[suspicion]}`;
    case 'far-from-stored':
      return `${start} in place of ${previous ?? '?'}, the stored close of the day`;
    case 'decimal-slip':
    case 'far-from-neighbours':
    case 'repeated-session':
      return `${start}${after}: ${doubtTexts[suspicion]}`;
  }
}

function shortName(file: string): string {
  return file.length > 50 ? `…${file.slice(-49)}` : file;
}

/** `; not in the universe: NADA, NADIE and 3 more`, or nothing. */
function formatColumns(what: string, columns: readonly string[]): string {
  return columns.length === 0 ? '' : `; ${what}: ${firstOf(columns, columnsShownMax)}`;
}

/** What was done with the columns of dividends and splits, or nothing if there are none. */
function actionsPart(columns: readonly string[], actions: FileActionCounts | undefined): string {
  if (actions === undefined) {
    const hint = columns.length === 0 ? '' : ' (--actions records them)';
    return `${formatColumns('dividends and splits not read', columns)}${hint}`;
  }
  if (columns.length === 0) return '; no column of dividends or splits';
  return `; corporate actions: ${formatActionCounts([actions])}`;
}

/** The corporate actions that were left out, each reason once with its actions, and the sums of all files. */
function actionLines(files: readonly FileResult[], max: number): readonly string[] {
  const counts = files.flatMap((file) =>
    file.outcome === 'imported' && file.actions !== undefined ? [file.actions] : [],
  );
  if (counts.length === 0) return [];
  const leftOut = Map.groupBy(
    counts.flatMap((one) => one.leftOut),
    ({ reason }) => reason,
  );
  return [
    ...[...leftOut].flatMap(([reason, list]) =>
      listed(
        `Corporate actions left out: ${leftOutReasons[reason]}:`,
        list.map(
          ({ action }) =>
            `${action.ticker} ${fromEpochDay(action.exDay)}: ${action.type}, ${actionValue(action)}`,
        ),
        max,
        { remedy: ' (--verbose)' },
      ),
    ),
    `Corporate actions: ${formatActionCounts(counts)}.`,
  ];
}

/** `added 3, same 0, rejected 0, left out 2` */
function formatActionCounts(counts: readonly FileActionCounts[]): string {
  const sum = (count: (one: FileActionCounts) => number): string =>
    formatCount(counts.reduce((total, one) => total + count(one), 0));
  return [
    `added ${sum(({ added }) => added)}`,
    `same ${sum(({ same }) => same)}`,
    `rejected ${sum(({ rejected }) => rejected)}`,
    `left out ${sum(({ leftOut }) => leftOut.length)}`,
  ].join(', ');
}
