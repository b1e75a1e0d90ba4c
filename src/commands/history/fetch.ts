import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { printable } from '../../lib/text/printable.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openLackingDays } from '../../node/market/lacking-days-note.ts';
import type { MissingCloses } from '../../pipeline/history/fetched-days.ts';
import { fetchHistory, type HistoryFetchSummary } from '../../pipeline/history/fetch-history.ts';
import { formatMove } from '../../pipeline/history/judge-offers.ts';
import {
  formatRejectedRow,
  type RejectedRow,
  type SourceFetch,
} from '../../pipeline/history/source-fetch.ts';
import { command } from '../form/command.ts';
import { given, parseDay } from '../form/flags.ts';
import { formatCount, formatCounted, listed } from '../form/report.ts';
import { formatDifference } from './differences.ts';
import {
  failedLines,
  findHistorySources,
  firstHistoryDay,
  formatSourceProgress,
  outcomeOf,
  sourceLine,
} from './history-sources.ts';

/** The exit code is 1 if a source or an instrument failed. */
export const fetch = command({
  name: 'fetch',
  summary:
    'fill the history from the configured sources; a stored close is replaced only by its own source or by one that the configuration prefers',
  args: { tickers: ['[TICKER...]', 'the instruments; if absent, all that the sources have'] },
  flags: {
    source: { value: '<NAME>', text: 'only this feed' },
    from: {
      value: '<DATE>',
      text: 'first day (YYYY-MM-DD); by default, as far back as a source goes',
      parse: parseDay,
    },
    verbose: { text: 'list every difference, every rejected row, every failure and every gap' },
  },
  settings: ['store', 'universe', 'market'],
  examples: [
    'pizarra history fetch --market argentina',
    'pizarra history fetch --from 2024-01-01 --verbose GGAL AL30',
  ],
  async run(context) {
    const { flags, log } = context;
    const configuration = await context.configuration();
    const { site, tickers } = await findHistorySources(configuration, context);
    const place = await context.findPlace();
    await using store = await place.open({ mode: 'create' });
    await using lacking = await openLackingDays(place.notes, { clock: systemClock, log });
    const summary = await fetchHistory(
      { from: flags.from ?? firstHistoryDay, ...given({ correctedFrom: flags.from, tickers }) },
      {
        ...site,
        history: store.history,
        actions: store.actions,
        lacking: lacking.days,
        signal: context.signal,
        onProgress: (one) =>
          context.progress(() =>
            formatSourceProgress(one, `${formatCount(one.added)} closes added`),
          ),
      },
    );
    return {
      sections: fetchLines(summary, flags),
      outcome: outcomeOf(summary),
    };
  },
});

/** Maximum number of entries of each list that are shown without `--verbose`. */
const shownMax = 10;

const toContinue = 'Run the command again to continue.';

/** The result of a fetch as lines. */
export function fetchLines(
  { sources, missing, notOffered, wasAborted }: HistoryFetchSummary,
  { verbose }: { readonly verbose: boolean },
): readonly string[] {
  const max = verbose ? Infinity : shownMax;
  const sumOf = (count: (one: SourceFetch) => number): number =>
    sources.reduce((sum, one) => sum + count(one), 0);
  const list = (
    title: string,
    entries: readonly string[],
    count = entries.length,
  ): readonly string[] =>
    listed(title, entries, max, {
      count,
      remedy: entries.length > max ? ' (--verbose lists more)' : '',
    });
  const rowLines = (rowsOf: (one: SourceFetch) => readonly RejectedRow[]): readonly string[] =>
    sources.flatMap((one) => rowsOf(one).map((row) => `${one.source}: ${formatRejectedRow(row)}`));
  const doubtful = rowLines((one) => one.doubtfulRows);
  const lines = [
    ...sources.map((one) => sourceLine(one, countsOf(one), toContinue)),
    ...list(
      'Closes that differ from the stored ones, which are kept:',
      sources.flatMap((one) => one.conflicts.map(formatDifference)),
      sumOf((one) => one.different),
    ),
    ...list(
      'Closes that replaced those of sources after it in the configuration:',
      sources.flatMap((one) => one.replacements.map(formatDifference)),
      sumOf((one) => one.replaced),
    ),
    ...list('Doubtful closes, not stored:', doubtful),
    ...list(
      'Other rows that are not stored:',
      verbose ? rowLines((one) => one.otherRows) : [],
      sumOf((one) => one.rejected) - doubtful.length,
    ),
    ...list(
      'Moves that look like those of a split or of another unit, stored:',
      sources.flatMap((one) => one.moves.map((move) => `${one.source}: ${formatMove(move)}`)),
    ),
    ...list(
      'Corporate actions that the stored closes contradict, not recorded:',
      sources.flatMap((one) =>
        one.contradicted.map(
          ({ ticker, exDay, type, source }) =>
            `${ticker} ${fromEpochDay(exDay)} ${type} of ${source}`,
        ),
      ),
    ),
    ...list('Failed:', failedLines(sources)),
    ...list('Session days without a close:', missing.flatMap(gapLine)),
    ...list(
      'Without any close:',
      missing.filter(({ gaps }) => gaps === undefined).map(({ ticker }) => ticker),
    ),
    ...list('No source has the history of:', notOffered),
    ...(wasAborted ? [`Interrupted. ${toContinue}`] : []),
    ...(missing.length === 0 && notOffered.length === 0 && !wasAborted
      ? ['No close is missing.']
      : []),
  ];
  return lines.map(printable);
}

function countsOf(one: SourceFetch): string {
  const { requests, added, corrected, replaced, takenOver, instruments, rejected, actions } = one;
  return [
    formatCounted(requests, 'requests'),
    `added ${formatCounted(added, 'closes')} of ${formatCounted(instruments, 'instruments')}`,
    ...(corrected === 0 ? [] : [`corrected ${formatCount(corrected)} of its own`]),
    ...(replaced + takenOver === 0
      ? []
      : [`replaced ${formatCount(replaced + takenOver)} of later sources`]),
    `rejected ${formatCount(rejected)}`,
    ...(actions === 0 ? [] : [`recorded ${formatCounted(actions, 'corporate actions')}`]),
  ].join(', ');
}

function gapLine({ ticker, gaps }: MissingCloses): readonly string[] {
  if (gaps === undefined) return [];
  const { days, last } = gaps;
  return [`${ticker}: ${formatCount(days)}, the last is ${fromEpochDay(last)}`];
}
