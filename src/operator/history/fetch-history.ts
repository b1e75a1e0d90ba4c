import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { MissingCloses } from '../../pipeline/history/fetched-days.ts';
import { fetchHistory, type HistoryFetchSummary } from '../../pipeline/history/fetch-history.ts';
import type { HistoryFetchProgress } from '../../pipeline/history/fetch-request.ts';
import { formatMove } from '../../pipeline/history/judge-offers.ts';
import {
  formatRejectedRow,
  isDoubtful,
  type RejectedRow,
} from '../../pipeline/history/rejected-row.ts';
import type { SourceFetch } from '../../pipeline/history/source-fetch.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { openLackingDays } from '../../node/site/lacking-days-note.ts';
import {
  findHistorySources,
  firstHistoryDay,
  type HistorySourcesRequest,
} from './history-sources.ts';

export type { HistoryFetchProgress, HistoryFetchSummary, MissingCloses, RejectedRow, SourceFetch };
export { formatMove, formatRejectedRow, isDoubtful };

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
  const { universe, sources, order, tickers } = await findHistorySources(command);
  await using place = openPlace(settings.store);
  await using store = await place.open({ mode: 'create' });
  await using lacking = await openLackingDays(place.notes, { clock: systemClock, log });
  return await fetchHistory(
    {
      from,
      ...(command.from !== undefined && { correctedFrom: command.from }),
      ...(tickers.size > 0 && { tickers }),
    },
    {
      sources,
      order,
      history: store.history,
      actions: store.actions,
      universe,
      clock: systemClock,
      random: Math.random,
      pause: pauseInRealTime,
      lacking: lacking.days,
      signal,
      ...(onProgress !== undefined && { onProgress }),
    },
  );
}
