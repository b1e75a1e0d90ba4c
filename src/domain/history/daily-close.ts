import type { EpochDay } from '../calendar/plain-date.ts';

/**
 * The close of one finished session, as traded that day: not adjusted for splits or dividends
 * (contract 2.2.1).
 */
export interface DailyClose {
  readonly day: EpochDay;
  readonly close: number;
  /** Nominal volume. Null where the kind has no volume or the source reports none. */
  readonly volume: number | null;
  /** Open, high and low are present where the source has them. */
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  /**
   * Where the close comes from, in one of the forms of `close-source.ts`. Absent where it is not
   * known: for rows of an export without one.
   */
  readonly source?: string;
}

/**
 * The daily closes of one instrument as columns of equal length, strictly ascending by day. Twenty
 * years are about 5,000 rows: 100 KB as columns, about a megabyte as objects.
 */
export interface CloseSeries {
  readonly days: Int32Array;
  readonly closes: Float64Array;
  /** `NaN` stands for null. */
  readonly volumes: Float64Array;
}

/** A series with the first, the highest and the lowest price of each session. `NaN` stands for absent. */
export interface BarSeries extends CloseSeries {
  readonly opens: Float64Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
}

/** A series of no rows. */
export const emptySeries: CloseSeries = {
  days: new Int32Array(0),
  closes: new Float64Array(0),
  volumes: new Float64Array(0),
};

/** Closes, ascending by day, as columns. */
export function barSeriesOf(closes: readonly DailyClose[]): BarSeries {
  const column = (valueOf: (close: DailyClose) => number | null | undefined): Float64Array =>
    Float64Array.from(closes, (close) => valueOf(close) ?? Number.NaN);
  return {
    days: Int32Array.from(closes, ({ day }) => day),
    closes: column(({ close }) => close),
    volumes: column(({ volume }) => volume),
    opens: column(({ open }) => open),
    highs: column(({ high }) => high),
    lows: column(({ low }) => low),
  };
}

/** A series with one more row, of a later day. */
export function followedByRow<S extends BarSeries>(series: S, close: DailyClose): S {
  const row = barSeriesOf([close]);
  const columns = Object.entries(row).map(([name, [value = Number.NaN]]) => {
    const earlier = series[name as keyof BarSeries];
    const column =
      name === 'days' ? new Int32Array(earlier.length + 1) : new Float64Array(earlier.length + 1);
    column.set(earlier);
    column[earlier.length] = value;
    return [name, column];
  });
  return { ...series, ...Object.fromEntries(columns) };
}

/** The closes of a series with their days. */
export function closesByDay({
  days,
  closes,
}: CloseSeries): readonly { readonly day: EpochDay; readonly close: number }[] {
  return Array.from(closes, (close, index) => ({ day: days[index] as EpochDay, close }));
}

/** The number of rows of ascending days that are before a day. */
export function rowsBefore(days: Int32Array, day: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? 0) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The rows of a series in a range of days, both ends included, and the number of rows before them. The
 * columns are parts of those given.
 */
export function rowsInRange<S extends CloseSeries & Partial<BarSeries>>(
  series: S,
  { from, to }: { readonly from: EpochDay; readonly to: EpochDay },
): { readonly rows: S; readonly firstRow: number } {
  const firstRow = rowsBefore(series.days, from);
  const end = rowsBefore(series.days, to + 1);
  const columns = Object.entries(series).map(([name, column]: [string, unknown]) => [
    name,
    column instanceof Int32Array || column instanceof Float64Array
      ? column.subarray(firstRow, end)
      : column,
  ]);
  return { rows: Object.fromEntries(columns) as S, firstRow };
}
