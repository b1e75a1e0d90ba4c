import { useEffect, useRef, useState } from 'preact/hooks';

import { usableKey } from '../../key/api-key.ts';
import type { Adjustment, HistoryRow, Quote } from '../../market/api/quote.ts';
import type { Series } from '../../market/api/series-rows.ts';
import type { Failure } from '../../market/api/service.ts';
import { beginning } from './range.ts';
import { failureText, fetchCloses } from './requests.ts';
import { withSession } from './session-row.ts';
import { useStoredCloses } from './use-stored-closes.ts';

/** The closes of the requested instruments that have been received so far. */
export interface Histories {
  /** The stored closes of each instrument, in the order of the request. Empty until received. */
  readonly stored: readonly (readonly HistoryRow[])[];
  /** The quote of the session of each instrument that its closes lack. Undefined without such a session. */
  readonly sessions: readonly (Quote | undefined)[];
  /** The ex dates of the dividends of the first instrument that the adjustment leaves out. */
  readonly omittedDividends: readonly string[];
  readonly isLoading: boolean;
  /** The reason why a series could not be read. */
  readonly message?: string;
}

const empty: Series = { rows: [], omittedDividends: [] };

/**
 * Reads whole series, each with each adjustment once in a session. A series is read again when a later
 * session begins, because the basis of its adjustment changes with it (contract 4.2.6), and when the
 * close of the session is stored. Until the response comes, the earlier rows remain.
 */
export function useHistories(
  tickers: readonly string[],
  adjustment: Adjustment,
  quotes: readonly (Quote | undefined)[],
): Histories {
  const [known, setKnown] = useState<ReadonlyMap<string, Series>>(new Map());
  const [message, setMessage] = useState<string | undefined>(undefined);
  const nameOf = (ticker: string) => `${adjustment} ${ticker}`;
  /** The sessions for which the series were read: those of the first quotes beside them. */
  const bases = useRef(new Map<string, string>());
  /** The requests under way, and those that were refused, which are not repeated. */
  const requests = useRef(new Map<string, AbortController>());
  const isStale = (ticker: string, day: string | undefined) => {
    const name = nameOf(ticker);
    if (!known.has(name)) return true;
    if (day !== undefined && !bases.current.has(name)) bases.current.set(name, day);
    return day !== undefined && day > (bases.current.get(name) ?? day);
  };
  const stale = tickers.filter((ticker, at) => isStale(ticker, quotes[at]?.fecha));
  const read = async (ticker: string) => {
    const name = nameOf(ticker);
    const stop = new AbortController();
    requests.current.set(name, stop);
    const { signal } = stop;
    let hasFailed = false;
    const onFailure = (failure: Failure) => {
      hasFailed = true;
      setMessage(failureText(failure));
    };
    const outcome = await fetchCloses(
      ticker,
      { from: beginning, adjustment },
      { signal, onFailure },
    );
    if (signal.aborted) return;
    if (!outcome.ok) return setMessage(failureText(outcome.failure));
    if (hasFailed) setMessage(undefined);
    requests.current.delete(name);
    bases.current.delete(name);
    setKnown((before) => new Map(before).set(name, outcome.value));
  };
  useEffect(() => {
    setMessage(undefined);
    return () => {
      for (const stop of requests.current.values()) stop.abort();
      requests.current.clear();
    };
  }, [tickers.join(','), adjustment, usableKey.value]);
  useEffect(() => {
    for (const ticker of stale) if (!requests.current.has(nameOf(ticker))) void read(ticker);
  });
  const all = tickers.map((ticker) => known.get(nameOf(ticker)));
  const sessions = tickers.map((ticker, at) => {
    const rows = all[at]?.rows;
    const quote = quotes[at];
    if (rows === undefined || stale.includes(ticker)) return undefined;
    return withSession(rows, quote) === rows ? undefined : quote;
  });
  useStoredCloses(sessions, adjustment, (ticker) => {
    if (!requests.current.has(nameOf(ticker))) void read(ticker);
  });
  const isLoading = all.includes(undefined) && message === undefined;
  return {
    stored: all.map((series = empty) => series.rows),
    sessions,
    omittedDividends: all[0]?.omittedDividends ?? [],
    isLoading,
    ...(message === undefined ? {} : { message }),
  };
}
