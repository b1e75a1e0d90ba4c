import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { BoundSeries } from '../names/binding.ts';
import { closesIn, type Check, type CheckedTable } from './checked-table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';

/** Minimum number of distances between days that prove an interval. */
const distancesMin = 3;

/** Minimum share of the distances that are one interval. Bars may lack a week or a month. */
const share = 0.9;

/** The longer intervals of bars, with the test of two consecutive days. */
const intervals = [
  { name: 'week', bars: 'weekly', fits: isWeek },
  { name: 'month', bars: 'monthly', fits: (a: EpochDay, b: EpochDay) => months(a, b) === 1 },
  { name: 'quarter', bars: 'quarterly', fits: (a: EpochDay, b: EpochDay) => months(a, b) === 3 },
  { name: 'year', bars: 'yearly', fits: (a: EpochDay, b: EpochDay) => months(a, b) === 12 },
] as const;

/**
 * Refuses bars of weeks, months, quarters and years. A day of such a bar is its first or last one, so its
 * close is not that of the day. A daily series of an instrument that hardly trades has irregular gaps.
 */
export const longerBars: Check = {
  name: 'longer-bars',
  // What this program exports is daily, whatever its days.
  needs: ({ reading }) => reading.layout !== 'pizarra',
  refuse(table) {
    const pairs = table.series.flatMap((one) => pairsOf(daysOf(table, one)));
    if (pairs.length < distancesMin) return;
    for (const { name, bars, fits } of intervals) {
      if (!areMost(pairs, fits)) continue;
      const shown = pairs.slice(0, distancesMin).map(([day]) => fromEpochDay(day));
      throw new ImportRefusal(
        'not-prices',
        `the rows are a ${name} apart (${shown.join(', ')}, …), so these are ${bars} bars and not daily ` +
          'closes; download the daily series',
      );
    }
  },
};

/** The days of each instrument of a series, ascending. */
function daysOf(table: CheckedTable, one: BoundSeries): readonly (readonly EpochDay[])[] {
  const byName = new Map<string, Set<EpochDay>>();
  for (const { day, name } of closesIn(table, one)) {
    const days = byName.get(name) ?? new Set();
    byName.set(name, days.add(day));
  }
  return [...byName.values()].map((days) => [...days].toSorted((a, b) => a - b));
}

function pairsOf(lists: readonly (readonly EpochDay[])[]): (readonly [EpochDay, EpochDay])[] {
  return lists.flatMap((days) =>
    days.flatMap((day, at) => {
      const next = days[at + 1];
      return next === undefined ? [] : [[day, next] as const];
    }),
  );
}

/** Stops at the first pair that leaves too few: the days of most files are daily, and none of their pairs fits. */
function areMost(
  pairs: readonly (readonly [EpochDay, EpochDay])[],
  fits: (a: EpochDay, b: EpochDay) => boolean,
): boolean {
  let left = pairs.length;
  for (const [a, b] of pairs) {
    if (fits(a, b)) continue;
    left -= 1;
    if (left < pairs.length * share) return false;
  }
  return true;
}

/** Seven days, or a day more or less around a holiday. */
function isWeek(a: EpochDay, b: EpochDay): boolean {
  return Math.abs(b - a - 7) <= 1;
}

function months(a: EpochDay, b: EpochDay): number {
  const [from, to] = [a, b].map((day) => {
    const [year, month] = fromEpochDay(day).split('-').map(Number);
    return (year ?? 0) * 12 + (month ?? 0);
  });
  return (to ?? 0) - (from ?? 0);
}
