import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { printable } from '../../lib/text/printable.ts';
import {
  formatMove,
  formatRejectedRow,
  isDoubtful,
  type HistoryFetchProgress,
  type HistoryFetchSummary,
  type MissingCloses,
  type RejectedRow,
  type SourceFetch,
} from '../../operator/history/fetch-history.ts';
import { formatDifference } from '../../operator/history/difference-text.ts';
import {
  failedLines,
  formatCount,
  formatSourceProgress,
  listed,
  sourceLine,
} from './source-report.ts';

/** Maximum number of entries of each list that are shown without `--verbose`. */
const shownMax = 10;

const toContinue = 'Run the command again to continue.';

/** The progress of a fetch as one line, without a line end. */
export function formatFetchProgress(progress: HistoryFetchProgress): string {
  return formatSourceProgress(progress, `${formatCount(progress.added)} closes added`);
}

/** The result of a fetch as text lines, with a final line end. */
export function formatFetch(
  summary: HistoryFetchSummary,
  { verbose }: { readonly verbose: boolean },
): string {
  const { sources, missing, notOffered, wasAborted } = summary;
  const max = verbose ? Infinity : shownMax;
  const conflicts = sources.flatMap((one) => one.conflicts.map(formatDifference));
  const different = sources.reduce((sum, one) => sum + one.different, 0);
  const contradicted = sources.flatMap((one) =>
    one.contradicted.map(
      (action) => `${action.ticker} ${fromEpochDay(action.exDay)} ${action.type} of ${one.source}`,
    ),
  );
  const rows = sources.flatMap((one) =>
    one.rejectedRows.map((row) => ({ ...row, of: one.source })),
  );
  const [doubtful, others] = [rows.filter(isDoubtful), rows.filter((row) => !isDoubtful(row))];
  const replaced = sources.reduce((sum, one) => sum + one.replaced, 0);
  const moves = sources.flatMap((one) =>
    one.moves.map((move) => `${one.source}: ${formatMove(move)}`),
  );
  const empty = missing.filter(({ gaps }) => gaps === undefined).map(({ ticker }) => ticker);
  const lines = [
    ...sources.map((one) => sourceLine(one, countsOf(one), toContinue)),
    ...listed(
      'Closes that differ from the stored ones, which are kept:',
      conflicts,
      max,
      different,
    ),
    ...listed(
      'Closes that replaced those of sources after it in the configuration:',
      sources.flatMap((one) => one.replacements.map(formatDifference)),
      max,
      replaced,
    ),
    ...listed('Doubtful closes, not stored:', doubtful.map(rowLine), max),
    ...listed(
      'Other rows that are not stored:',
      verbose ? others.map(rowLine) : [],
      max,
      verbose ? sources.reduce((sum, one) => sum + one.rejected, 0) - doubtful.length : 0,
    ),
    ...listed('Moves that look like those of a split or of another unit, stored:', moves, max),
    ...listed(
      'Corporate actions that the stored closes contradict, not recorded:',
      contradicted,
      max,
    ),
    ...listed('Failed:', failedLines(sources), max),
    ...listed('Session days without a close:', missing.flatMap(gapLine), max),
    ...listed('Without any close:', empty, max),
    ...listed('No source has the history of:', notOffered, max),
    ...(wasAborted ? [`Interrupted. ${toContinue}`] : []),
  ];
  if (missing.length === 0 && notOffered.length === 0 && !wasAborted)
    lines.push('No close is missing.');
  return `${lines.map(printable).join('\n')}\n`;
}

function countsOf(one: SourceFetch): string {
  const { requests, added, corrected, replaced, takenOver, instruments, rejected, actions } = one;
  return [
    `${formatCount(requests)} requests`,
    `added ${formatCount(added)} closes of ${formatCount(instruments)} instruments`,
    ...(corrected === 0 ? [] : [`corrected ${formatCount(corrected)} of its own`]),
    ...(replaced + takenOver === 0
      ? []
      : [`replaced ${formatCount(replaced + takenOver)} of later sources`]),
    `rejected ${formatCount(rejected)}`,
    ...(actions === 0 ? [] : [`recorded ${formatCount(actions)} corporate actions`]),
  ].join(', ');
}

function rowLine(row: RejectedRow & { readonly of: string }): string {
  return `${row.of}: ${formatRejectedRow(row)}`;
}

function gapLine({ ticker, gaps }: MissingCloses): readonly string[] {
  if (gaps === undefined) return [];
  const { days, last } = gaps;
  return [`${ticker}: ${formatCount(days)}, the last is ${fromEpochDay(last)}`];
}
