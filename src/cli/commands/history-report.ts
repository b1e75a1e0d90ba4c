import type {
  HistoryFetchProgress,
  HistoryFetchSummary,
  MissingCloses,
  SourceFetch,
} from '../../app/commands/fetch-history.ts';
import { fromEpochDay } from '../../domain/plain-date.ts';
import { printable } from '../../lib/printable.ts';

/** Maximum number of entries of each list that are shown without `--verbose`. */
const shownMax = 10;

/** Whether every source served every instrument that it was asked for. */
export function isComplete({ sources }: HistoryFetchSummary): boolean {
  return sources.every(({ failed, stopped }) => failed.length === 0 && stopped === undefined);
}

/** The progress of a fetch as one line, without a line end. */
export function formatFetchProgress(progress: HistoryFetchProgress): string {
  const { source, ticker, done, total, added, waiting } = progress;
  const line = `${source}  ${done + 1}/${total}  ${number(added)} closes added  ${ticker}`;
  if (waiting === undefined) return printable(line);
  const seconds = Math.ceil(waiting.ms / 1_000);
  return printable(`${line}  waiting ${seconds} s: ${waiting.cause}`);
}

/** The result of a fetch as text lines, with a final line end. */
export function formatFetch(
  summary: HistoryFetchSummary,
  { verbose }: { readonly verbose: boolean },
): string {
  const { sources, missing, notOffered, wasAborted } = summary;
  const max = verbose ? Infinity : shownMax;
  const different = sources.flatMap((one) =>
    one.different.map(
      ({ ticker, day, stored, fetched }) =>
        `${ticker} ${fromEpochDay(day)}: stored ${stored}, ${one.source} has ${fetched}`,
    ),
  );
  const failed = sources.flatMap((one) =>
    one.failed.map(({ ticker, message }) => `${ticker} of ${one.source}: ${message}`),
  );
  const contradicted = sources.flatMap((one) =>
    one.contradicted.map(
      (action) => `${action.ticker} ${fromEpochDay(action.exDay)} ${action.type} of ${one.source}`,
    ),
  );
  const empty = missing.filter(({ gaps }) => gaps === undefined).map(({ ticker }) => ticker);
  const lines = [
    ...sources.map(sourceLine),
    ...list('Closes that differ from the stored ones, which are kept:', different, max),
    ...list(
      'Corporate actions that the stored closes contradict, not recorded:',
      contradicted,
      max,
    ),
    ...list('Failed:', failed, max),
    ...list('Session days without a close:', missing.flatMap(gapLine), max),
    ...list('Without any close:', empty, max),
    ...list('No source has the history of:', notOffered, max),
    ...(wasAborted ? ['Interrupted. Run the command again to continue.'] : []),
  ];
  if (missing.length === 0 && notOffered.length === 0 && !wasAborted)
    lines.push('No close is missing.');
  return `${lines.map(printable).join('\n')}\n`;
}

function sourceLine({
  source,
  requests,
  added,
  instruments,
  rejected,
  actions,
  stopped,
}: SourceFetch): string {
  const line = `${source}: ${number(requests)} requests, added ${number(added)} closes of ${number(instruments)} instruments, rejected ${number(rejected)}`;
  const recorded = actions === 0 ? '' : `, recorded ${number(actions)} corporate actions`;
  return stopped === undefined
    ? `${line}${recorded}`
    : `${line}${recorded}; stopped: ${stopped}. Run the command again to continue.`;
}

function gapLine({ ticker, gaps }: MissingCloses): readonly string[] {
  if (gaps === undefined) return [];
  const { days, last } = gaps;
  return [`${ticker}: ${number(days)}, the last is ${fromEpochDay(last)}`];
}

function list(title: string, entries: readonly string[], max: number): readonly string[] {
  if (entries.length === 0) return [];
  const hidden = entries.length - max;
  const more = hidden > 0 ? [`  and ${number(hidden)} more (--verbose lists all)`] : [];
  return [title, ...entries.slice(0, max).map((one) => `  ${one}`), ...more];
}

function number(value: number): string {
  return value.toLocaleString('en');
}
