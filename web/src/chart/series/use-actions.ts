import { useEffect, useState } from 'preact/hooks';

import type { ActionRow } from '../../market/api/series-rows.ts';
import { retried } from '../../market/api/retry.ts';
import { fetchJson } from '../../market/api/service.ts';
import { beginning } from './range.ts';

/** Later than every ex date, so that announced actions are included. */
const end = '9999-12-31';

const none: readonly ActionRow[] = [];

/** The corporate actions of an instrument. Empty until they are received. */
export function useActions(ticker: string, key: string): readonly ActionRow[] {
  const [known, setKnown] = useState<{
    readonly of: string;
    readonly rows: readonly ActionRow[];
  }>();
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      const params = new URLSearchParams({ especie: ticker, desde: beginning, hasta: end });
      const options = { key, signal: stop.signal };
      const request = () => fetchJson<readonly ActionRow[]>(`/eventos?${params}`, options);
      const outcome = await retried(request, stop.signal);
      // The series beside it reports a failure of the service.
      if (!stop.signal.aborted && outcome.ok) setKnown({ of: ticker, rows: outcome.value });
    };
    void read();
    return () => stop.abort();
  }, [ticker, key]);
  return known?.of === ticker ? known.rows : none;
}
