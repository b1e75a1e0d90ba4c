import { usualFactor } from '../../domain/history/action-evidence.ts';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import { doubtTexts, impossibleTexts } from '../../domain/history/judge/judgement.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { printable } from '../../lib/text/printable.ts';
import {
  acceptedIn,
  SharedAdvice,
  type FileResult,
  type ImportCounts,
  type ImportProgress,
  type ImportSummary,
  type SuspiciousClose,
} from '../../operator/history/import-history.ts';
import { actionLines, actionsPart } from './import-actions-report.ts';
import { formatColumns } from './named-columns.ts';
import { unitsText } from '../actions/action-view.ts';

/** Maximum number of suspicious closes that are shown without `--verbose`. */
const suspiciousShownMax = 20;

/** Maximum number of replaced closes that are shown without `--verbose`. */
const replacedShownMax = 20;

/** Maximum length of the line of a file, in characters. A heading may be as long as a row. */
const lineCharsMax = 5_000;

/** Width of the progress bar, in characters. */
const barWidth = 24;

/**
 * The progress of one file as one line, without a line end. For a stream of unknown size the line has
 * no bar.
 */
export function formatProgress({ file, bytesRead, bytesTotal, rowsRead }: ImportProgress): string {
  const rows = `${rowsRead.toLocaleString('en')} rows`;
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
  const { columnsOfActions, actions, isAdjusted } = result;
  const doubtful = result.columnsDoubtful.map((one) => `; left out: ${one}`).join('');
  const tickers = [...byTicker.keys()];
  const shown = tickers.length > 3 ? `${tickers.length} instruments` : tickers.join(', ');
  const left = `${formatColumns('not in the universe', columnsUnknown)}${doubtful}${formatColumns('columns not used', columnsUnused)}${actionsPart(columnsOfActions, actions)}`;
  const outcome = acceptedIn(counts) > 0 ? 'imported' : 'rejected';
  const warning = isAdjusted ? '; adjusted for dividends' : '';
  return `${outcome}  ${file} (${layout}) ${shown}: ${formatCounts(counts)}${warning}${left}`;
}

/** The result of an import as text lines, with a final line end. */
export function formatSummary(
  summary: ImportSummary,
  { rejectsFile, verbose }: { readonly rejectsFile: string | undefined; readonly verbose: boolean },
): string {
  const { files, totals, byReason, byTicker, suspicious, replaced, dryRun } = summary;
  const countOf = (wanted: FileResult['outcome']) =>
    files.filter(({ outcome }) => outcome === wanted).length;
  const skipped = countOf('skipped');
  const rejected = files.filter(
    (file) => file.outcome === 'imported' && acceptedIn(file.counts) === 0,
  ).length;
  const lines: string[] = [];
  if (suspicious.length > 0) {
    const shown = verbose ? suspicious : suspicious.slice(0, suspiciousShownMax);
    lines.push('Suspicious closes, kept:', ...shown.map((one) => `  ${formatSuspicious(one)}`));
    const hidden = totals.suspicious - shown.length;
    if (hidden > 0) lines.push(`  and ${hidden.toLocaleString('en')} more`);
  }
  if (replaced.length > 0) {
    const shown = verbose ? replaced : replaced.slice(0, replacedShownMax);
    lines.push(
      `Closes of other sources that were replaced: ${totals.replaced.toLocaleString('en')}`,
      ...shown.map((one) => `  ${formatReplaced(one)}`),
    );
    const hidden = totals.replaced - shown.length;
    if (hidden > 0) lines.push(`  and ${hidden.toLocaleString('en')} more`);
  }
  if (verbose && byTicker.size > 0) {
    lines.push('By instrument:');
    for (const [ticker, counts] of byTicker) lines.push(`  ${ticker}: ${formatCounts(counts)}`);
  }
  if (byReason.size > 0) {
    lines.push(`Rejected rows${rejectsFile === undefined ? '' : `, in ${rejectsFile}`}:`);
    for (const [reason, count] of byReason)
      lines.push(`  ${count.toLocaleString('en')}: ${reason}`);
  }
  lines.push(...adjustedLines(files), ...actionLines(files, verbose));
  const shared = new SharedAdvice();
  for (const file of files) {
    if (file.outcome === 'refused' && file.advice !== undefined) shared.add(file.advice);
  }
  lines.push(
    ...shared.sentences,
    `${dryRun ? 'Dry run, nothing stored. ' : ''}Files: ${countOf('imported') - rejected} imported, ${countOf('refused')} refused${rejected === 0 ? '' : `, ${rejected} without an accepted row`}${skipped === 0 ? '' : `, ${skipped} left out`}.`,
    `Closes: ${formatCounts(totals)}.`,
  );
  return `${lines.map(printable).join('\n')}\n`;
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
    .map((name) => `${name} ${counts[name].toLocaleString('en')}`)
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

function formatReplaced({ ticker, day, stored, storedSource, offered }: CloseConflict): string {
  return `${ticker} ${fromEpochDay(day)}: ${stored} of ${storedSource ?? 'an unknown source'} by ${offered}`;
}

function shortName(file: string): string {
  return file.length > 50 ? `…${file.slice(-49)}` : file;
}
