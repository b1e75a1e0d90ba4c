import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { CloseSeries } from '../../domain/history/daily-close.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { DayRange } from '../contract/history-store.ts';

/**
 * The closes of an instrument in a range. Before a change of its ticker they are those of its earlier ticker.
 * Where both tickers have a close of one day before the change, that of the new ticker is used.
 *
 * @param actions those with the changes of tickers
 * @param read gives the closes that are stored under one ticker
 */
export async function continuedSeries<Series extends CloseSeries>(
  ticker: Ticker,
  { from, to }: DayRange,
  {
    actions,
    read,
  }: {
    readonly actions: CorporateActions;
    readonly read: (ticker: Ticker, range: DayRange) => Promise<Series>;
  },
): Promise<Series> {
  let series = await read(ticker, { from, to });
  for (const { ticker: name, before } of actions.earlierTickers(ticker)) {
    const until = Math.min(to, before - 1) as EpochDay;
    if (until >= from) series = mergedSeries(series, await read(name, { from, to: until }));
  }
  return series;
}

/**
 * The number of closes of each instrument that {@link continuedSeries} gives. The closes of one that had another ticker
 * are read, because both tickers may have a close of one day.
 */
export async function continuedCounts(
  tickers: readonly Ticker[],
  {
    actions,
    count,
    read,
  }: {
    readonly actions: CorporateActions;
    /** Counts what is stored under each ticker. */
    readonly count: (tickers: readonly Ticker[]) => Promise<readonly number[]>;
    readonly read: (ticker: Ticker) => Promise<CloseSeries>;
  },
): Promise<readonly number[]> {
  const counts = [...(await count(tickers))];
  for (const [index, ticker] of tickers.entries()) {
    if (actions.earlierTickers(ticker).length > 0) counts[index] = (await read(ticker)).days.length;
  }
  return counts;
}

/** The rows of both series, ascending by day. Of one day, the row of the first is used. */
function mergedSeries<Series extends CloseSeries>(first: Series, second: Series): Series {
  if (second.days.length === 0) return first;
  const known = new Set<number>(first.days);
  const rows = [
    ...Array.from(first.days, (day, index) => ({ day, series: first, index })),
    ...Array.from(second.days, (day, index) => ({ day, series: second, index })).filter(
      ({ day }) => !known.has(day),
    ),
  ].sort((a, b) => a.day - b.day);
  const columns = Object.keys(first).map((name) => {
    const column = name as keyof CloseSeries;
    const values = rows.map(({ series, index }) => series[column][index] ?? Number.NaN);
    return [name, column === 'days' ? Int32Array.from(values) : Float64Array.from(values)];
  });
  return Object.fromEntries(columns) as Series;
}
