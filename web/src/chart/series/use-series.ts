import { computed } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { Quote } from '../../market/api/quote.ts';
import type { Outcome } from '../../market/api/service.ts';
import { usableKey } from '../../key/api-key.ts';
import { onRestored } from '../../market/connection.ts';
import { today } from '../../market/health-watch.ts';
import type { RangeCode } from '../../places/route.ts';
import {
  failureText,
  fetchCloses,
  fetchIntraday,
  intradayRanges,
  type RequestOptions,
} from './requests.ts';
import { dailySeries, intradaySeries, type LiveSeries } from './live-series.ts';
import { rangeStart } from './range.ts';
import { SeriesStore, type KnownSeries, type SeriesSource } from './series-store.ts';
import { isIntradayRange } from './stale-series.ts';

/** The store, which outlives the board, so that coming back requests nothing again. Another key has another one. */
const latest = computed(() => {
  void usableKey.value;
  return new SeriesStore(source);
});

/** The series that boards show, with those that were seen lately. */
export function useSeriesStore(): SeriesStore {
  const store = latest.value;
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

const source: SeriesSource = {
  read: (ticker, range, signal) => {
    const options = { signal, isOnce: true };
    return isIntradayRange(range)
      ? readIntraday(ticker, range, options)
      : readDaily(ticker, range, options);
  },
  textOf: failureText,
  now: () => performance.now(),
  isHidden: () => document.hidden,
};

async function readIntraday(
  ticker: string,
  range: keyof typeof intradayRanges,
  options: RequestOptions,
): Promise<Outcome<LiveSeries>> {
  const outcome = await fetchIntraday(ticker, range, options);
  const { minutes, sessions } = intradayRanges[range];
  if (!outcome.ok) return outcome;
  return { ok: true, value: intradaySeries(outcome.value, { minutes, sessions }) };
}

async function readDaily(
  ticker: string,
  range: Parameters<typeof rangeStart>[1],
  options: RequestOptions,
): Promise<Outcome<LiveSeries>> {
  const from = rangeStart(today.peek(), range);
  const outcome = await fetchCloses(ticker, { from, adjustment: 'splits' }, options);
  return outcome.ok ? { ok: true, value: dailySeries(outcome.value.rows) } : outcome;
}
