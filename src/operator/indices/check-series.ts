import { fromEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { faultsOf, type IndexFault } from '../../domain/indices/check-index.ts';
import { findIndex, indexNames, type IndexName } from '../../domain/indices/index-name.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import { settlementCalendar } from '../../domain/instruments/settlement-calendar.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';

/** The faults of one index that has values. */
export interface CheckedIndex {
  readonly index: IndexName;
  readonly values: number;
  readonly faults: readonly IndexFault[];
}

/**
 * The index that an operator names, in any case.
 *
 * @throws {UsageFault} that lists the valid names.
 */
export function requireIndex(name: string): IndexName {
  const index = findIndex(name.toUpperCase());
  if (index !== undefined) return index;
  throw new UsageFault(`There is no index ${name}. Valid: ${indexNames.join(', ')}.`);
}

/** Checks the indices that have values, at an instant in epoch milliseconds. */
export function checkSeries(
  series: IndexSeries,
  universe: Universe,
  now: number,
): readonly CheckedIndex[] {
  const calendar = settlementCalendar(universe);
  const today = calendar?.dateAt(now) ?? (new Date(now).toISOString().slice(0, 10) as PlainDate);
  return indexNames.flatMap((index) => {
    const values = series.all(index).length;
    if (values === 0) return [];
    return { index, values, faults: faultsOf(index, series, { calendar, today }) };
  });
}

/** What needs the value of a day. */
export function neededText({ needed, settlement }: Extract<IndexFault, { type: 'stale' }>): string {
  const day = fromEpochDay(needed);
  return settlement === undefined
    ? `${day} is published`
    : `the settlement of ${settlement} needs ${day}`;
}
