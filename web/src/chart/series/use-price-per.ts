import { useEffect, useState } from 'preact/hooks';

import type { InstrumentInfo } from '../../market/api/quote.ts';
import { retried } from '../../market/api/retry.ts';
import { fetchJson } from '../../market/api/service.ts';

/** The quantity that a price of an instrument is for: 100 for most bonds. Undefined until it is received. */
export function usePricePer(ticker: string | undefined, key: string): number | undefined {
  const [known, setKnown] = useState<InstrumentInfo | undefined>(undefined);
  useEffect(() => {
    if (ticker === undefined) return undefined;
    const stop = new AbortController();
    const read = async () => {
      // The instrument whose ticker is the text comes first (contract 4.4).
      const params = new URLSearchParams({ buscar: ticker, campos: 'precioPor' });
      const options = { key, signal: stop.signal };
      const request = () =>
        fetchJson<readonly InstrumentInfo[]>(`/especies.json?${params}`, options);
      const outcome = await retried(request, stop.signal);
      if (!stop.signal.aborted && outcome.ok) setKnown(outcome.value[0]);
    };
    void read();
    return () => stop.abort();
  }, [ticker, key]);
  return known?.especie === ticker ? known?.precioPor : undefined;
}
