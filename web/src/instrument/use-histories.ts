import { useEffect, useState } from 'preact/hooks';

import type { HistoryRow } from '../api/quote.ts';
import { fetchJson } from '../api/service.ts';
import { keyRefusal } from '../key/api-key.ts';
import { serviceNow } from '../market/health-watch.ts';
import { beginning } from './range.ts';

/** The closes of the requested instruments that have been received so far. */
export interface Histories {
  readonly rows: ReadonlyMap<string, readonly HistoryRow[]>;
  readonly isLoading: boolean;
  /** The reason why a series could not be read. */
  readonly message?: string;
}

const dayMs = 86_400_000;

/** Reads whole series, each once while the page is open. */
export function useHistories(tickers: readonly string[], key: string): Histories {
  const [rows, setRows] = useState<ReadonlyMap<string, readonly HistoryRow[]>>(new Map());
  const [message, setMessage] = useState<string | undefined>(undefined);
  const missing = tickers.filter((ticker) => !rows.has(ticker));
  useEffect(() => {
    const stop = new AbortController();
    setMessage(undefined);
    const read = async (ticker: string) => {
      const outcome = await readSeries(ticker, key, stop.signal);
      if (stop.signal.aborted) return;
      if (outcome.ok) setRows((known) => new Map(known).set(ticker, outcome.value));
      else if (outcome.failure.kind === 'unreachable') setMessage('El servicio no responde.');
      else if (outcome.failure.status === 401) keyRefusal.value = outcome.failure.message;
      else setMessage(outcome.failure.message);
    };
    for (const ticker of missing) void read(ticker);
    return () => stop.abort();
    // When a series arrives, the others must not be requested again.
  }, [tickers.join(','), key]);
  return {
    rows,
    isLoading: missing.length > 0 && message === undefined,
    ...(message === undefined ? {} : { message }),
  };
}

function readSeries(ticker: string, key: string, signal: AbortSignal) {
  const tomorrow = new Date(serviceNow() + dayMs).toISOString().slice(0, 10);
  const params = new URLSearchParams({ especie: ticker, desde: beginning, hasta: tomorrow });
  return fetchJson<readonly HistoryRow[]>(`/historicos?${params}`, { key, signal });
}
