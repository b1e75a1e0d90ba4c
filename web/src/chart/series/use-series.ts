import { useEffect, useMemo } from 'preact/hooks';

import type { HistoryRow, Quote } from '../../market/api/quote.ts';
import { fetchSeries } from '../../market/api/series-rows.ts';
import type { Outcome } from '../../market/api/service.ts';
import { onRestored } from '../../market/connection.ts';
import { serviceNow, today } from '../../market/health-watch.ts';
import type { RangeCode } from '../../places/route.ts';
import { fetchIntraday, intradayRanges, type IntradayOptions } from './intraday-request.ts';
import { dailySeries, intradaySeries, type LiveSeries } from './live-series.ts';
import { rangeStart } from './range.ts';
import { SeriesStore, type KnownSeries, type SeriesSource } from './series-store.ts';
import { isIntradayRange } from './stale-series.ts';
import { failureText } from './use-histories.ts';

const dayMs = 86_400_000;

/** The store of the latest key. It outlives the board, so that coming back requests nothing again. */
let latest: { readonly key: string; readonly store: SeriesStore } | undefined;

/** The series that boards show, with those that were seen lately. */
export function useSeriesStore(key: string): SeriesStore {
  const store = useMemo(() => {
    if (latest?.key !== key) latest = { key, store: new SeriesStore(sourceOf(key)) };
    return latest.store;
  }, [key]);
  useEffect(() => onRestored(() => store.reload()), [store]);
  return store;
}

/** The series of an instrument, which follows its quote. It is requested while it is wanted. */
export function useSeries(
  store: SeriesStore,
  {
    ticker,
    range,
    quote,
    isWanted,
  }: {
    readonly ticker: string;
    readonly range: RangeCode;
    readonly quote: Quote | undefined;
    readonly isWanted: boolean;
  },
): KnownSeries {
  useEffect(
    () => (isWanted ? store.watch(ticker, range) : undefined),
    [store, ticker, range, isWanted],
  );
  useEffect(() => {
    if (quote !== undefined) store.extend(quote, range);
  }, [store, quote, range]);
  return store.series(ticker, range).value;
}

function sourceOf(key: string): SeriesSource {
  return {
    read: (ticker, range, signal) => {
      const options = { key, signal, isOnce: true };
      return isIntradayRange(range)
        ? readIntraday(ticker, range, options)
        : readDaily(ticker, range, options);
    },
    textOf: failureText,
    now: () => performance.now(),
    isHidden: () => document.hidden,
  };
}

async function readIntraday(
  ticker: string,
  range: keyof typeof intradayRanges,
  options: IntradayOptions,
): Promise<Outcome<LiveSeries>> {
  const outcome = await fetchIntraday(ticker, range, options);
  const { minutes, sessions } = intradayRanges[range];
  if (!outcome.ok) return outcome;
  return { ok: true, value: intradaySeries(outcome.value, { minutes, sessions }) };
}

async function readDaily(
  ticker: string,
  range: Parameters<typeof rangeStart>[1],
  options: IntradayOptions,
): Promise<Outcome<LiveSeries>> {
  const tomorrow = new Date(serviceNow() + dayMs).toISOString().slice(0, 10);
  const params = new URLSearchParams({
    especie: ticker,
    desde: rangeStart(today.peek(), range),
    hasta: tomorrow,
    ajuste: 'splits',
    campos: 'apertura,maximo,minimo',
  });
  const outcome = await fetchSeries(params, options);
  if (!outcome.ok) return outcome;
  const rows: readonly HistoryRow[] = outcome.value.rows;
  return { ok: true, value: dailySeries(rows) };
}
