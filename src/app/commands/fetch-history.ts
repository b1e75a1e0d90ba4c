import { setTimeout as sleep } from 'node:timers/promises';
import type { PlainDate } from '../../domain/plain-date.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { Universe } from '../../domain/universe.ts';
import type { HistorySource } from '../../feeds/history-source.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { fetchHistory } from '../../pipeline/fetch-history.ts';
import type {
  HistoryFetchProgress,
  HistoryFetchSummary,
  MissingCloses,
  SourceFetch,
} from '../../pipeline/fetch-history.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { UsageFault } from '../operator-fault.ts';
import type { ConfigFile } from '../settings/read-config.ts';
import { flagName } from '../settings/settings.ts';
import type { Settings } from '../settings/settings.ts';
import { historySources } from '../site/open-feeds.ts';
import { presetUniverse } from '../site/presets.ts';
import { readFeeds } from '../site/read-feeds.ts';
import { requireUniverse } from '../site/require-universe.ts';
import { openLackingDays } from '../site/lacking-days-file.ts';

export type { HistoryFetchProgress, HistoryFetchSummary, MissingCloses, SourceFetch };

/** The first day that is fetched, unless the operator names another. No source begins earlier. */
const firstDay = '1990-01-01' as PlainDate;

/** The request of a fetch. */
export interface HistoryFetchCommand {
  readonly settings: Pick<Settings, 'data' | 'universe' | 'market'>;
  readonly file: ConfigFile | undefined;
  /** Empty: all instruments. */
  readonly tickers: readonly string[];
  /** The name of a feed. Undefined: all feeds that have history. */
  readonly source?: string;
  readonly from?: PlainDate;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: HistoryFetchProgress) => void;
}

/**
 * Fetches daily closes into the store of an installation. A service may run on the same data directory,
 * as with an import.
 *
 * @throws {UsageFault} when an instrument or a source does not exist, or no source has history.
 * @throws {OperatorFault} when the universe has faults.
 * @throws {StoreFault} when the store cannot be opened or written.
 */
export async function runHistoryFetch(command: HistoryFetchCommand): Promise<HistoryFetchSummary> {
  const { settings, file, log, signal, from = firstDay, onProgress } = command;
  const universe = presetUniverse(await requireUniverse(settings.universe), settings);
  const configured = readFeeds({ settings, file }, universe);
  const all = historySources(configured, { universe, clock: systemClock, log });
  const sources = selectSources(all, command.source);
  const tickers = findAll(command.tickers, universe);
  await using store = await openSqliteStore({ directory: settings.data });
  return await fetchHistory(
    { from, ...(tickers.size > 0 && { tickers }) },
    {
      sources,
      history: store.history,
      actions: store.actions,
      universe,
      clock: systemClock,
      random: Math.random,
      pause: (ms, aborted) => sleep(ms, undefined, { signal: aborted }),
      lacking: openLackingDays(settings.data, { clock: systemClock, log }),
      signal,
      ...(onProgress !== undefined && { onProgress }),
    },
  );
}

function selectSources(
  all: readonly HistorySource[],
  name: string | undefined,
): readonly HistorySource[] {
  if (all.length === 0) {
    throw new UsageFault(
      `No configured feed has daily history. Choose a preset with ${flagName('market')} argentina, or configure a feed that has it (docs/sources.md).`,
    );
  }
  if (name === undefined) return all;
  const chosen = all.filter((one) => one.name === name);
  if (chosen.length > 0) return chosen;
  const names = all.map((one) => one.name).join(', ');
  throw new UsageFault(`No configured feed with daily history is called ${name}. Valid: ${names}.`);
}

function findAll(spellings: readonly string[], universe: Universe): ReadonlySet<Ticker> {
  const unknown = spellings.filter((one) => universe.find(one) === undefined);
  if (unknown.length > 0) {
    throw new UsageFault(`These instruments are not in the universe: ${unknown.join(', ')}.`);
  }
  return new Set(spellings.flatMap((one) => universe.find(one)?.ticker ?? []));
}
