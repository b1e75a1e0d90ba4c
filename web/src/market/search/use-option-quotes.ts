import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { usableKey } from '../../key/api-key.ts';
import type { Quote } from '../api/quote.ts';
import { fetchJson } from '../api/service.ts';

/** Time without a change of the options after which their quotes are requested, in milliseconds. */
const pauseMs = 150;

/** Interval between two requests while the options stay, in milliseconds. */
const renewalMs = 5_000;

/**
 * The quotes of the options of a search, requested while they are shown. A stream would take the place
 * of that of the page. Quotes that cannot be renewed are removed, because they may be out of date.
 */
export function useOptionQuotes(
  tickers: readonly string[],
): ReadonlySignal<ReadonlyMap<string, Quote>> {
  const quotes = useSignal<ReadonlyMap<string, Quote>>(new Map());
  const selected = tickers.map(encodeURIComponent).join(',');
  useEffect(() => {
    if (selected === '') {
      quotes.value = new Map();
      return undefined;
    }
    const stop = new AbortController();
    const options = { signal: stop.signal, isOnce: true };
    let timer: ReturnType<typeof setTimeout>;
    const read = async () => {
      const outcome = await fetchJson<readonly Quote[]>(
        `/cotizaciones?especie=${selected}`,
        options,
      );
      if (stop.signal.aborted) return;
      quotes.value = new Map(
        outcome.ok ? outcome.value.map((quote) => [quote.especie, quote]) : [],
      );
      timer = setTimeout(() => void read(), renewalMs);
    };
    timer = setTimeout(() => void read(), pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [selected, usableKey.value]);
  return quotes;
}
