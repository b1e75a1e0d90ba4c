import { addDays, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { indexNames, type IndexName } from '../../domain/indices/index-name.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import { settlementCalendar } from '../../domain/instruments/settlement-calendar.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import type { IndexSource } from '../contract/history-source.ts';
import { makeFactors } from './recipes/shared-factors.ts';
import { SimulatedIndices } from './recipes/simulated-indices.ts';
import type { SimulatedConfig } from './simulated-config.ts';
import { historyDays } from './simulated-history.ts';

/** Number of days by which the indices begin before the closes. Bonds need the index of ten business days before. */
const daysAhead = 60;

/**
 * The values of an index that are published at an instant, for two years and for what bonds need on their first
 * day. None in a universe without the market of the central bank or that of settlements.
 *
 * @param from the first day, if it is not that of the history
 * @param now in epoch milliseconds
 */
export function simulatedIndexValues(
  universe: Universe,
  index: IndexName,
  { seed, from, now }: { readonly seed: number; readonly from?: PlainDate; readonly now: number },
): readonly DayValue[] {
  const calendar = settlementCalendar(universe);
  if (calendar === undefined) return [];
  const first = addDays(calendar.dateAt(now), -historyDays - daysAhead);
  const indices = new SimulatedIndices(makeFactors(seed), seed);
  const start = from !== undefined && from > first ? from : first;
  return indices.published(index, { from: start, now, calendar });
}

/** Publishes the simulated values of every index, as they come out. */
export function createSimulatedIndices(
  { name, seed }: SimulatedConfig,
  { universe, clock }: Pick<FeedDeps, 'universe' | 'clock'>,
): IndexSource {
  return {
    name,
    indices: indexNames,
    spacingMs: 0,
    async fetch({ index, from }) {
      const values = simulatedIndexValues(universe, index, { seed, from, now: clock.now() });
      return { values, rejected: [] };
    },
  };
}
