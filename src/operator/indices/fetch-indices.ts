import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import { settlementCalendar } from '../../domain/instruments/settlement-calendar.ts';
import { readFeeds } from '../../config/feeds/read-feeds.ts';
import type { ConfigFile } from '../../config/settings/read-config.ts';
import type { Settings } from '../../config/settings/settings.ts';
import type { Log } from '../../lib/reports/log.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { indexSources } from '../../node/site/open-feeds.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';
import {
  fetchIndices,
  type IndexFetch,
  type IndexFetchProgress,
  type IndexFetchSummary,
} from '../../pipeline/indices/fetch-indices.ts';

export type { IndexFetch, IndexFetchProgress, IndexFetchSummary };

/** The request of a fetch of indices. */
export interface IndexFetchCommand {
  readonly settings: Pick<Settings, 'store' | 'universe' | 'market'>;
  readonly file: ConfigFile | undefined;
  /** Empty: all. */
  readonly indices: ReadonlySet<IndexName>;
  /** Undefined: since each index begins. */
  readonly from?: PlainDate | undefined;
  /** Undefined: up to the last day that is published. */
  readonly to?: PlainDate | undefined;
  /** Stores also the values that contradict the stored ones. */
  readonly acceptsDoubtful: boolean;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: IndexFetchProgress) => void;
}

/**
 * Fetches values of indices into the store of an installation, from the configured sources that have them, or
 * from the central bank if none is configured. A service may run on the same data directory, and serves them
 * at once.
 *
 * @throws {UsageFault} when the first day is after the last one.
 * @throws {OperatorFault} when the universe or the configuration has faults.
 * @throws {StoreFault} when the store cannot be opened or written.
 */
export async function runIndexFetch(command: IndexFetchCommand): Promise<IndexFetchSummary> {
  const { settings, file, indices, from, to, acceptsDoubtful, log, signal, onProgress } = command;
  if (from !== undefined && to !== undefined && from > to) {
    throw new UsageFault(`--desde ${from} is after --hasta ${to}. Set --desde to an earlier day.`);
  }
  const universe = await requireUniverse(settings.universe);
  const deps = { universe, clock: systemClock, log };
  const configured = indexSources(readFeeds({ settings, file }, universe), deps);
  const sources =
    configured.length > 0
      ? configured
      : indexSources(
          readFeeds({ settings: { market: 'argentina' }, file: undefined }, universe),
          deps,
        );
  await using place = openPlace(settings.store);
  await using store = await place.open({ mode: 'create' });
  return await fetchIndices(
    {
      from: from ?? 'all',
      to,
      acceptsDoubtful,
      indices: indices.size === 0 ? undefined : indices,
    },
    {
      sources,
      store: store.indices,
      calendar: settlementCalendar(universe),
      clock: systemClock,
      random: Math.random,
      pause: pauseInRealTime,
      signal,
      onProgress,
    },
  );
}
