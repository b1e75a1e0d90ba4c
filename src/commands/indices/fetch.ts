import { readFeeds } from '../../config/feeds/read-feeds.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { settlementCalendar } from '../../domain/instruments/settlement-calendar.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import { indexSources } from '../../node/market/open-feeds.ts';
import { requireIndex } from '../../operator/indices/check-series.ts';
import {
  fetchIndices,
  type IndexFetch,
  type IndexFetchProgress,
} from '../../pipeline/indices/fetch-indices.ts';
import { command } from '../form/command.ts';
import { dayRange, parseDay } from '../form/flags.ts';

/** Maximum number of values of each kind that are shown. */
const shownMax = 10;

/**
 * Reads the configured sources that have indices, or the central bank if none is configured. A service may run on the
 * same store, and serves the values at once. The exit code is 1 if an index was not served or a value is doubtful.
 */
export const fetch = command({
  name: 'fetch',
  summary: 'fetch values from the central bank (BCRA), days to come included',
  args: { indices: ['[INDEX...]', 'the indices; if absent, all'] },
  flags: {
    desde: {
      value: '<DATE>',
      text: 'first day (YYYY-MM-DD); by default, since each index begins',
      parse: parseDay,
    },
    hasta: {
      value: '<DATE>',
      text: 'last day (YYYY-MM-DD); by default, the last that is published',
      parse: parseDay,
    },
    acceptDoubtful: { text: 'store also values that contradict the stored ones' },
  },
  settings: ['store', 'universe', 'market'],
  examples: ['pizarra indices fetch', 'pizarra indices fetch CER UVA --desde 2026-01-01'],
  async run(context) {
    const { args, flags, log } = context;
    const { acceptDoubtful, desde, hasta } = flags;
    const indices = new Set(args.indices.map(requireIndex));
    const { settings, file } = await context.configuration();
    dayRange({ desde, hasta });
    const universe = await context.readUniverse();
    const sourcesOf = (configured: Parameters<typeof readFeeds>[0]) =>
      indexSources(readFeeds(configured, universe), { universe, clock: systemClock, log });
    const configured = sourcesOf({ settings, file });
    const store = await context.openStore('create');
    const summary = await fetchIndices(
      {
        from: desde ?? 'all',
        to: hasta,
        acceptsDoubtful: acceptDoubtful,
        indices: indices.size === 0 ? undefined : indices,
      },
      {
        sources:
          configured.length > 0
            ? configured
            : sourcesOf({ settings: { market: 'argentina' }, file: undefined }),
        store: store.indices,
        calendar: settlementCalendar(universe),
        clock: systemClock,
        random: Math.random,
        pause: pauseInRealTime,
        signal: context.signal,
        onProgress: (one) => context.progress(() => progressLine(one)),
      },
    );
    const isSound = summary.indices.every(
      ({ failed, doubtful }) => failed === undefined && (acceptDoubtful || doubtful.length === 0),
    );
    return {
      sections: [
        ...summary.indices.flatMap((one) => fetchLines(one, { acceptDoubtful })),
        ...(summary.wasAborted ? ['Interrupted.'] : []),
      ],
      outcome: summary.wasAborted ? 'interrupted' : isSound ? undefined : 'failed',
    };
  },
});

function progressLine({ source, index, waiting }: IndexFetchProgress): string {
  if (waiting === undefined) return `${source}: ${index}`;
  return `${source}: ${index}, waiting ${Math.ceil(waiting.ms / 1_000)} s (${waiting.cause})`;
}

/** The result of a fetch of one index, as lines. */
function fetchLines(
  one: IndexFetch,
  { acceptDoubtful }: { readonly acceptDoubtful: boolean },
): readonly string[] {
  const { index, source, added, replaced, doubtful, rejected, missing, failed } = one;
  if (failed !== undefined) return [`${index}: not fetched. ${failed}`];
  const counts = [
    `added ${added}`,
    `changed ${replaced.length}`,
    `rejected ${rejected.length}`,
    `missing ${missing}`,
  ].join(', ');
  return [
    `${index} (${source}): ${counts}`,
    ...shown(
      replaced,
      ({ value: was }) =>
        `changed  ${index} ${fromEpochDay(was.day)}: it was ${formatExactNumber(was.value)} (${was.source})`,
    ),
    ...shown(
      doubtful,
      ({ day, value }) =>
        `doubtful  ${index} ${fromEpochDay(day)}: ${formatExactNumber(value)} contradicts the stored values; ${acceptDoubtful ? 'stored' : 'not stored, unless with --accept-doubtful'}`,
    ),
    ...shown(rejected, ({ reason, sample }) => `rejected  ${index}: ${sample} (${reason})`),
  ];
}

function shown<Value>(values: readonly Value[], line: (value: Value) => string): readonly string[] {
  const lines = values.slice(0, shownMax).map((value) => `  ${line(value)}`);
  const left = values.length - lines.length;
  return left > 0 ? [...lines, `  and ${left} more`] : lines;
}
