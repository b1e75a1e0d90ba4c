import { computed, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { Adjustment, HistoryRow, Quote } from '../../market/api/quote.ts';
import type { Outcome } from '../../market/api/service.ts';
import { usableKey } from '../../key/api-key.ts';
import { onRestored } from '../../market/connection.ts';
import { marketOf } from '../../market/freshness.ts';
import { today } from '../../market/health-watch.ts';
import type { RangeCode } from '../../places/route.ts';
import { failureText, fetchCloses, fetchIntraday, intradayRanges } from './requests.ts';
import { dailySeries, intradaySeries, type LiveSeries } from './live-series.ts';
import { isIntradayRange, rangeStart } from './range.ts';
import {
  SeriesStore,
  type KnownSeries,
  type SeriesName,
  type SeriesSource,
} from './series-store.ts';

/** The store, which outlives the page, so that coming back requests nothing again. Another key has another one. */
const latest = computed(() => {
  void usableKey.value;
  return new SeriesStore(source);
});

/** The series that are shown, with those that were seen lately. */
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

/** The closes of several instruments. */
export interface Histories {
  /** The stored closes of each instrument, in the order of the request. Empty until received. */
  readonly stored: readonly (readonly HistoryRow[])[];
  /** The same with the session in progress. */
  readonly current: readonly (readonly HistoryRow[])[];
  /** The ex dates of the dividends of the first instrument that the adjustment leaves out. */
  readonly omittedDividends: readonly string[];
  readonly isLoading: boolean;
  /** The reason why a series could not be read. */
  readonly message: string | undefined;
}

const none = [] as const;

/** The whole series of instruments, which follow their quotes. */
export function useHistories(
  tickers: readonly string[],
  adjustment: Adjustment,
  quotes: readonly (Quote | undefined)[],
): Histories {
  const store = useSeriesStore();
  useEffect(() => {
    const ends = tickers.map((ticker) => store.watch(ticker, 'max', adjustment));
    return () => {
      for (const end of ends) end();
    };
  }, [store, tickers.join(','), adjustment]);
  useEffect(() => {
    for (const quote of quotes.slice(0, tickers.length)) {
      if (quote !== undefined) store.extend(quote, 'max', adjustment);
    }
  });
  const known = tickers.map((ticker) => store.series(ticker, 'max', adjustment).value);
  const message = known.map((one) => one.message).find((one) => one !== undefined);
  return {
    stored: known.map(({ series }) => series?.stored ?? none),
    current: known.map(({ series }) => series?.rows ?? none),
    omittedDividends: known[0]?.series?.omittedDividends ?? none,
    isLoading: message === undefined && known.some(({ series }) => series === undefined),
    message,
  };
}

const source: SeriesSource = {
  read: readSeries,
  textOf: failureText,
  hasEnded: ({ especie, fecha }) => {
    const market = untracked(() => marketOf(especie));
    return market !== undefined && (market.estado === 'cerrado' || fecha < market.rueda);
  },
  now: () => performance.now(),
  isHidden: () => document.hidden,
};

async function readSeries(
  { ticker, range, adjustment }: SeriesName,
  signal: AbortSignal,
): Promise<Outcome<LiveSeries>> {
  const options = { signal, isOnce: true };
  if (isIntradayRange(range)) {
    const outcome = await fetchIntraday(ticker, range, options);
    return outcome.ok
      ? { ok: true, value: intradaySeries(outcome.value, intradayRanges[range]) }
      : outcome;
  }
  const from = rangeStart(today.peek(), range);
  const outcome = await fetchCloses(ticker, { from, adjustment }, options);
  return outcome.ok ? { ok: true, value: dailySeries(outcome.value) } : outcome;
}
