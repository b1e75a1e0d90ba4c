import type { HistoryRow } from '../market/api/quote.ts';

/** The statistics of a range of closes. */
export interface Statistics {
  readonly sessions: number;
  readonly first: HistoryRow;
  readonly last: HistoryRow;
  readonly changePct: number | null;
  readonly lowest: HistoryRow;
  readonly highest: HistoryRow;
  readonly mean: number;
  /** The maximum drawdown from a peak to a later close, in percent. Zero or below. */
  readonly drawdownPct: number | null;
  /** The standard deviation of the daily logarithmic returns, times the square root of 252. */
  readonly volatilityPct: number | null;
  /** The mean over the sessions that have a volume. */
  readonly meanVolume: number | null;
}

const sessionsPerYear = 252;

/**
 * The statistics of closes in ascending order. Undefined if there are no closes. Statistics in
 * percent need positive values. They are null if a rate or a spread is zero or below.
 */
export function statisticsOf(rows: readonly HistoryRow[]): Statistics | undefined {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const isPositive = rows.every(({ ultimo }) => ultimo > 0);
  const volumes = rows.flatMap(({ volumen }) => (volumen === null ? [] : [volumen]));
  return {
    sessions: rows.length,
    first,
    last,
    changePct: isPositive ? (last.ultimo / first.ultimo - 1) * 100 : null,
    lowest: rows.reduce((low, row) => (row.ultimo < low.ultimo ? row : low)),
    highest: rows.reduce((high, row) => (row.ultimo > high.ultimo ? row : high)),
    mean: meanOf(rows.map(({ ultimo }) => ultimo)),
    drawdownPct: isPositive ? deepestFallPct(rows) : null,
    volatilityPct: isPositive ? volatilityPct(rows) : null,
    meanVolume: volumes.length === 0 ? null : meanOf(volumes),
  };
}

function deepestFallPct(rows: readonly HistoryRow[]): number {
  let peak = 0;
  let deepest = 0;
  for (const { ultimo } of rows) {
    peak = Math.max(peak, ultimo);
    deepest = Math.min(deepest, (ultimo / peak - 1) * 100);
  }
  return deepest;
}

function volatilityPct(rows: readonly HistoryRow[]): number | null {
  const returns = rows.slice(1).map(({ ultimo }, at) => Math.log(ultimo / (rows[at]?.ultimo ?? 1)));
  if (returns.length < 2) return null;
  const mean = meanOf(returns);
  const squares = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return Math.sqrt((squares / (returns.length - 1)) * sessionsPerYear) * 100;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
