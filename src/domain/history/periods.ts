import { fromEpochDay, type EpochDay } from '../calendar/plain-date.ts';
import { withoutBinaryError } from '../values/rounding.ts';
import type { AdjustedSeries } from './adjust-series.ts';
import type { BarSeries, CloseSeries } from './daily-close.ts';

/** A session, a calendar week from Monday to Sunday, or a calendar month. */
export type Period = 'day' | 'week' | 'month';

/** A row for each period. Its day is that of the last session of the period. */
type PeriodSeries = AdjustedSeries<CloseSeries & Partial<BarSeries>> & {
  /** The day of the first session of each period. */
  readonly firstDays: Int32Array;
};

const daysPerWeek = 7;

/** The days from a Monday to the epoch day 0, which was a Thursday. */
const daysSinceMonday = 3;

/** What the days of one period have in common. */
export const periodOf: Readonly<Record<Period, (day: number) => number | string>> = {
  day: (day) => day,
  week: (day) => Math.floor((day + daysSinceMonday) / daysPerWeek),
  month: (day) => fromEpochDay(day as EpochDay).slice(0, -3),
};

/**
 * Joins the sessions of each period (contract 4.2.16): the close of the last one, the open of the first one, the highest
 * and the lowest price, and the sum of the volumes. Where a session of the period has no high or low, its close counts.
 * A value that no session of the period has, and an open that the first one lacks, stays unknown.
 *
 * @param round gives a price as it is shown where it is not adjusted. A period of sessions before and after an ex date
 *   has prices of both kinds.
 */
export function byPeriod(
  series: AdjustedSeries<CloseSeries & Partial<BarSeries>>,
  period: Period,
  round: (price: number) => number,
): PeriodSeries {
  if (period === 'day') return { ...series, firstDays: series.days };
  const { days, adjustedRows } = series;
  const firsts: number[] = [];
  let last: number | string | undefined;
  for (const [row, day] of days.entries()) {
    const key = periodOf[period](day);
    if (key !== last) firsts.push(row);
    last = key;
  }
  const endOf = (at: number): number => firsts[at + 1] ?? days.length;
  /** Whether a period has both adjusted and other prices: none begins with the first other one. */
  const isMixed = adjustedRows < days.length && !firsts.includes(adjustedRows);
  /** A column with the prices that are shown, where a period has prices of both kinds. */
  const shown = (column: Float64Array): Float64Array =>
    isMixed
      ? column.map((price, row) =>
          row < adjustedRows || Number.isNaN(price) ? price : round(price),
        )
      : column;
  const closes = shown(series.closes);
  const fold = (column: Float64Array, join: (values: Float64Array) => number): Float64Array =>
    Float64Array.from(firsts, (first, at) => join(column.subarray(first, endOf(at))));
  const extreme = (
    column: Float64Array | undefined,
    of: (...values: readonly number[]) => number,
  ): Float64Array | undefined => {
    if (column === undefined) return undefined;
    const known = shown(column);
    const orClose = known.map((price, row) =>
      Number.isNaN(price) ? (closes[row] ?? price) : price,
    );
    return Float64Array.from(firsts, (first, at) => {
      const isKnown = known.subarray(first, endOf(at)).some((price) => !Number.isNaN(price));
      return isKnown ? of(...orClose.subarray(first, endOf(at))) : Number.NaN;
    });
  };
  const [highs, lows] = [extreme(series.highs, Math.max), extreme(series.lows, Math.min)];
  return {
    days: Int32Array.from(firsts, (_, at) => days[endOf(at) - 1] ?? 0),
    firstDays: Int32Array.from(firsts, (first) => days[first] ?? 0),
    closes: fold(closes, (values) => values.at(-1) ?? Number.NaN),
    volumes: fold(series.volumes, sumOfKnown),
    ...(series.opens && { opens: fold(shown(series.opens), ([first = Number.NaN]) => first) }),
    ...(highs && { highs }),
    ...(lows && { lows }),
    adjustedRows: firsts.filter((first) => first < adjustedRows).length,
    unapplied: series.unapplied,
  };
}

/** The sum of volumes. `NaN` if none is known. */
function sumOfKnown(volumes: Float64Array): number {
  const known = volumes.filter((volume) => !Number.isNaN(volume));
  if (known.length === 0) return Number.NaN;
  const sum = known.reduce((total, volume) => total + volume, 0);
  return Number.isInteger(sum) ? sum : withoutBinaryError(sum);
}
