import type {
  HistoryCompareProgress,
  HistoryCompareSummary,
  SourceComparison,
} from '../../operator/history/compare-history.ts';
import { printable } from '../../lib/text/printable.ts';
import {
  failedLines,
  formatCount,
  formatSourceProgress,
  listed,
  sourceLine,
} from './source-report.ts';

/** The progress of a comparison as one line, without a line end. */
export function formatCompareProgress(progress: HistoryCompareProgress): string {
  return formatSourceProgress(progress, 'comparing');
}

/** The summary of a comparison as text lines, with a final line end. */
export function formatComparison({
  sources,
  notStored,
  notOffered,
  wasAborted,
}: HistoryCompareSummary): string {
  const lines = [
    ...sources.map((one) => sourceLine(one, countsOf(one), 'Run the command again later.')),
    ...listed('Failed:', failedLines(sources), Infinity),
    ...listed('Without a stored close in the range:', notStored, Infinity),
    ...listed('No source has the history of:', notOffered, Infinity),
    ...(wasAborted ? ['Interrupted.'] : []),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

function countsOf(one: SourceComparison): string {
  const { requests, compared, instruments, different, lacking, unstored, rejected } = one;
  const { replaceable } = one;
  const replaced = replaceable === 0 ? '' : ` (a fetch replaces ${formatCount(replaceable)})`;
  return [
    `${formatCount(requests)} requests`,
    `compared ${formatCount(compared)} closes of ${formatCount(instruments)} instruments`,
    `different ${formatCount(different)}${replaced}`,
    `only stored ${formatCount(lacking)}`,
    `only at the source ${formatCount(unstored)}`,
    `rejected ${formatCount(rejected)}`,
  ].join(', ');
}
