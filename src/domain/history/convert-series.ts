import { roundAdjusted } from '../values/rounding.ts';
import type { AdjustedSeries } from './adjust-series.ts';
import { rowsBefore, type BarSeries, type CloseSeries } from './daily-close.ts';

/** The age at which a close of a dollar no longer converts a price, in days: over a long holiday it still does. */
export const rateAgeDaysMax = 7;

/** The currencies in which prices can be asked for. */
export const convertedCurrencies = ['ARS', 'USD'] as const;

export type ConvertedCurrency = (typeof convertedCurrencies)[number];

/** Whether prices in a unit are converted. */
export function isConvertible(unit: string): boolean {
  return convertedCurrencies.some((one) => one === unit);
}

/** What prices are multiplied by, at a rate in pesos for a dollar. */
export function factorInto(to: ConvertedCurrency, rate: number): number {
  return to === 'USD' ? 1 / rate : rate;
}

/** The close of a dollar of a day, or the last one of at most seven days before it. */
export function rateOn({ days, closes }: CloseSeries, day: number): number | undefined {
  const at = rowsBefore(days, day + 1) - 1;
  const rate = closes[at];
  const isUsable =
    rate !== undefined && rate > 0 && day - (days[at] ?? -Infinity) <= rateAgeDaysMax;
  return isUsable ? rate : undefined;
}

/**
 * Converts the prices of a series by the close of a dollar of the day, or the last one of at most seven days before it
 * (contract 4.2.17). Volumes stay. A row without such a close is left out, and so is every row of an instrument whose
 * unit is neither pesos nor dollars.
 *
 * @param from the unit of the prices
 * @param dollar the closes of a dollar in pesos
 * @returns the series, whose prices are rounded as adjusted ones are, and the number of rows that are left out
 */
export function convertSeries<S extends AdjustedSeries<CloseSeries & Partial<BarSeries>>>(
  series: S,
  {
    from,
    to,
    dollar,
  }: { readonly from: string; readonly to: ConvertedCurrency; readonly dollar: CloseSeries },
): { readonly series: S; readonly omitted: number } {
  if (from === to) return { series, omitted: 0 };
  const { days } = series;
  const mayConvert = isConvertible(from);
  /** The factor of each row. NaN without one. */
  const factors = Float64Array.from(days, (day) => {
    const rate = mayConvert ? rateOn(dollar, day) : undefined;
    return rate === undefined ? Number.NaN : factorInto(to, rate);
  });
  const kept = days
    .keys()
    .filter((row) => !Number.isNaN(factors[row]))
    .toArray();
  const columns = Object.entries(series).map(([name, column]: [string, unknown]) => {
    if (column instanceof Int32Array)
      return [name, Int32Array.from(kept, (row) => column[row] ?? 0)];
    if (!(column instanceof Float64Array)) return [name, column];
    const valueOf = (row: number): number => column[row] ?? Number.NaN;
    const isPrice = name !== 'volumes';
    return [
      name,
      Float64Array.from(kept, (row) =>
        isPrice ? roundAdjusted(valueOf(row) * (factors[row] ?? 1)) : valueOf(row),
      ),
    ];
  });
  return {
    series: { ...(Object.fromEntries(columns) as S), adjustedRows: kept.length },
    omitted: days.length - kept.length,
  };
}
