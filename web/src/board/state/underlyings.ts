import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import type { Quote } from '../../market/api/quote.ts';
import { fetchJson } from '../../market/api/service.ts';
import { instruments } from '../../market/instruments.ts';
import { tickersMax } from '../../market/lists/ticker-lists.ts';

/** Interval between two requests, in milliseconds. */
const renewalMs = 10_000;

/**
 * The quotes of the underlyings of some receipts, by ticker, requested while they are shown. Quotes that
 * cannot be renewed are removed, because they may be out of date.
 */
export function useUnderlyings(
  receipts: readonly string[],
  key: string,
): ReadonlySignal<ReadonlyMap<string, Quote>> {
  const quotes = useMemo(() => signal<ReadonlyMap<string, Quote>>(new Map()), []);
  const known = instruments.value;
  const underlyings = receipts.flatMap((ticker) => known.get(ticker)?.subyacente ?? []);
  const tickers = [...new Set(underlyings)].filter((ticker) => known.has(ticker));
  const selected = tickers.slice(0, tickersMax).map(encodeURIComponent).join(',');
  useEffect(() => {
    if (selected === '') {
      quotes.value = new Map();
      return undefined;
    }
    const stop = new AbortController();
    const options = { key, signal: stop.signal };
    const path = `/cotizaciones?especie=${selected}`;
    const read = async () => {
      if (document.visibilityState === 'hidden') return;
      const outcome = await fetchJson<readonly Quote[]>(path, options);
      if (stop.signal.aborted) return;
      const rows = outcome.ok ? outcome.value : [];
      quotes.value = new Map(rows.map((quote) => [quote.especie, quote]));
    };
    void read();
    const timer = setInterval(() => void read(), renewalMs);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [selected, key, quotes]);
  return quotes;
}
