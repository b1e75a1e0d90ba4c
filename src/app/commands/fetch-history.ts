import type { PlainDate } from '../../domain/plain-date.ts';
import { systemClock } from '../../lib/clock.ts';
import { pauseInRealTime } from '../../lib/pause.ts';
import { fetchHistory } from '../../pipeline/fetch-history.ts';
import type {
  HistoryFetchProgress,
  HistoryFetchSummary,
  MissingCloses,
  SourceFetch,
} from '../../pipeline/fetch-history.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { openLackingDays } from '../site/lacking-days-file.ts';
import { findHistorySources, firstHistoryDay } from './history-sources.ts';
import type { HistorySourcesRequest } from './history-sources.ts';

export type { HistoryFetchProgress, HistoryFetchSummary, MissingCloses, SourceFetch };

/** The request of a fetch. */
export interface HistoryFetchCommand extends HistorySourcesRequest {
  readonly from?: PlainDate;
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
  const { settings, log, signal, from = firstHistoryDay, onProgress } = command;
  const { universe, sources, tickers } = await findHistorySources(command);
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
      pause: pauseInRealTime,
      lacking: openLackingDays(settings.data, { clock: systemClock, log }),
      signal,
      ...(onProgress !== undefined && { onProgress }),
    },
  );
}
