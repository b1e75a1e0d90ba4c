import type { CloseConflict } from '../../domain/history/offered-close.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import {
  compareHistory,
  type HistoryCompareProgress,
  type HistoryCompareSummary,
  type SourceComparison,
} from '../../pipeline/history/compare-history.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import {
  findHistorySources,
  firstHistoryDay,
  type HistorySourcesRequest,
} from './history-sources.ts';

export type { HistoryCompareProgress, HistoryCompareSummary, SourceComparison };

/** The request of a comparison. */
export interface HistoryCompareCommand extends HistorySourcesRequest {
  /** Both included. */
  readonly from?: PlainDate;
  readonly to?: PlainDate;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: HistoryCompareProgress) => void;
  readonly onDifferences: (differences: readonly CloseConflict[]) => void;
}

/**
 * Compares the stored closes of an installation with those of its sources. Nothing is written. A service
 * may run on the same data directory.
 *
 * @throws {UsageFault} when an instrument or a source does not exist, no source has history, or the
 *   range is reversed.
 * @throws {OperatorFault} when the universe has faults.
 * @throws {StoreFault} when the store cannot be opened or read.
 */
export async function runHistoryCompare(
  command: HistoryCompareCommand,
): Promise<HistoryCompareSummary> {
  const { settings, signal, from = firstHistoryDay, to, onProgress, onDifferences } = command;
  if (to !== undefined && from > to) {
    throw new UsageFault(`--from ${from} is after --to ${to}. Set --from to an earlier day.`);
  }
  const { universe, sources, order, tickers } = await findHistorySources(command);
  await using place = openPlace(settings.store);
  await using store = await place.open({ mode: 'read' });
  return await compareHistory(
    { from, ...(to !== undefined && { to }), ...(tickers.size > 0 && { tickers }) },
    {
      sources,
      order,
      history: store.history,
      actions: store.actions,
      universe,
      clock: systemClock,
      random: Math.random,
      pause: pauseInRealTime,
      signal,
      onDifferences,
      ...(onProgress !== undefined && { onProgress }),
    },
  );
}
