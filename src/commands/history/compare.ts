import { printable } from '../../lib/text/printable.ts';
import {
  compareHistory,
  type HistoryCompareSummary,
  type SourceComparison,
} from '../../pipeline/history/compare-history.ts';
import { command } from '../form/command.ts';
import { dayRange, given, parseDay } from '../form/flags.ts';
import { formatCount, formatCounted, listed } from '../form/report.ts';
import { openDifferenceOutput } from './differences.ts';
import {
  failedLines,
  findHistorySources,
  firstHistoryDay,
  formatSourceProgress,
  outcomeOf,
  sourceLine,
} from './history-sources.ts';

/** The exit code is 1 if a source or an instrument failed. */
export const compare = command({
  name: 'compare',
  summary: 'list the stored closes from which the configured sources differ; nothing is changed',
  args: { tickers: ['[TICKER...]', 'the instruments; if absent, all that the sources have'] },
  flags: {
    source: { value: '<NAME>', text: 'only this feed' },
    from: { value: '<DATE>', text: 'first day (YYYY-MM-DD)', parse: parseDay },
    to: { value: '<DATE>', text: 'last day (YYYY-MM-DD)', parse: parseDay },
    json: { text: 'print one JSON array', conflicts: ['csv'] },
    csv: { text: 'print CSV' },
  },
  settings: ['store', 'universe', 'market'],
  examples: [
    'pizarra history compare --from 2026-01-01',
    'pizarra history compare --csv GGAL > differences.csv',
  ],
  async run(context) {
    const { flags, readerGone } = context;
    const { from = firstHistoryDay, to } = flags;
    const configuration = await context.configuration();
    dayRange({ from, to });
    const { site, tickers } = await findHistorySources(configuration, context);
    const store = await context.openStore('read');
    let output: ReturnType<typeof openDifferenceOutput> | undefined;
    const opened = () => (output ??= openDifferenceOutput(flags, context));
    const summary = await compareHistory(
      { from, ...given({ to, tickers }) },
      {
        ...site,
        history: store.history,
        actions: store.actions,
        signal: AbortSignal.any([context.signal, readerGone]),
        onDifferences: (differences) => opened().write(differences),
        onProgress: (one) => context.progress(() => formatSourceProgress(one, 'comparing')),
      },
    );
    opened().finish(formatComparison(summary));
    return readerGone.aborted ? {} : { outcome: outcomeOf(summary) };
  },
});

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
    formatCounted(requests, 'requests'),
    `compared ${formatCounted(compared, 'closes')} of ${formatCounted(instruments, 'instruments')}`,
    `different ${formatCount(different)}${replaced}`,
    `only stored ${formatCount(lacking)}`,
    `only at the source ${formatCount(unstored)}`,
    `rejected ${formatCount(rejected)}`,
  ].join(', ');
}
