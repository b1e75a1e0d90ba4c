import { useEffect, useState } from 'preact/hooks';

import type { Adjustment, HistoryRow } from '../../market/api/quote.ts';
import { retried } from '../../market/api/retry.ts';
import { fetchSeries } from '../../market/api/series-rows.ts';
import type { Series } from '../../market/api/series-rows.ts';
import type { Failure } from '../../market/api/service.ts';
import { keyRefusal } from '../../key/api-key.ts';
import { serviceNow } from '../../market/health-watch.ts';
import { beginning } from './range.ts';

/** The closes of the requested instruments that have been received so far. */
export interface Histories {
  /** The series of each instrument, in the order of the request. Empty until it is received. */
  readonly series: readonly (readonly HistoryRow[])[];
  /** The ex dates of the dividends of the first instrument that the adjustment leaves out. */
  readonly omittedDividends: readonly string[];
  readonly isLoading: boolean;
  /** The reason why a series could not be read. */
  readonly message?: string;
}

const dayMs = 86_400_000;
const empty: Series = { rows: [], omittedDividends: [] };

/** Reads whole series, each with each adjustment once while the page is open. */
export function useHistories(
  tickers: readonly string[],
  adjustment: Adjustment,
  key: string,
): Histories {
  const [known, setKnown] = useState<ReadonlyMap<string, Series>>(new Map());
  const [message, setMessage] = useState<string | undefined>(undefined);
  const nameOf = (ticker: string) => `${adjustment} ${ticker}`;
  const missing = tickers.filter((ticker) => !known.has(nameOf(ticker)));
  useEffect(() => {
    const stop = new AbortController();
    setMessage(undefined);
    const read = async (ticker: string) => {
      const { signal } = stop;
      const request = () => readSeries(ticker, adjustment, { key, signal });
      let hasFailed = false;
      const outcome = await retried(request, signal, (failure) => {
        hasFailed = true;
        setMessage(failureText(failure));
      });
      if (signal.aborted) return;
      if (!outcome.ok) return setMessage(failureText(outcome.failure));
      if (hasFailed) setMessage(undefined);
      setKnown((before) => new Map(before).set(nameOf(ticker), outcome.value));
    };
    for (const ticker of missing) void read(ticker);
    return () => stop.abort();
    // When a series arrives, the others must not be requested again.
  }, [tickers.join(','), adjustment, key]);
  const all = tickers.map((ticker) => known.get(nameOf(ticker)) ?? empty);
  return {
    series: all.map(({ rows }) => rows),
    omittedDividends: all[0]?.omittedDividends ?? [],
    isLoading: missing.length > 0 && message === undefined,
    ...(message === undefined ? {} : { message }),
  };
}

/**
 * The text for a failed request. Undefined for an invalid key, which the whole page reports.
 */
export function failureText(failure: Failure): string | undefined {
  if (failure.kind === 'unreachable') return 'El servicio no responde.';
  if (failure.status !== 401) return failure.message;
  keyRefusal.value = failure.message;
  return undefined;
}

function readSeries(
  ticker: string,
  adjustment: Adjustment,
  options: { readonly key: string; readonly signal: AbortSignal },
) {
  const tomorrow = new Date(serviceNow() + dayMs).toISOString().slice(0, 10);
  const params = new URLSearchParams({
    especie: ticker,
    desde: beginning,
    hasta: tomorrow,
    ajuste: adjustment,
    campos: 'apertura,maximo,minimo',
  });
  return fetchSeries(params, options);
}
