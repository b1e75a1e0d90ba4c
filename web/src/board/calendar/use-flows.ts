import { useEffect, useState } from 'preact/hooks';

import type { BondFlow } from '../../market/api/quote.ts';
import { retried } from '../../market/api/retry.ts';
import { fetchJson } from '../../market/api/service.ts';

/** The payments to come of bonds, by ticker. */
export type Flows = ReadonlyMap<string, readonly BondFlow[]>;

/** Maximum number of concurrent requests. A browser opens six connections to a server. */
const requestsMax = 3;

/** The payments to come of several bonds, one request each, as they are received. */
export function useFlows(tickers: readonly string[], key: string): Flows {
  const [flows, setFlows] = useState<Flows>(new Map());
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    setFlows(new Map());
    const queue = [...tickers];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const ticker = next;
        const path = `/bonos/flujos?especie=${encodeURIComponent(ticker)}`;
        // oxlint-disable-next-line no-await-in-loop
        const outcome = await retried(
          () => fetchJson<readonly BondFlow[]>(path, { key, signal }),
          signal,
        );
        if (signal.aborted) return;
        const rows = outcome.ok ? outcome.value : [];
        setFlows((known) => new Map(known).set(ticker, rows));
      }
    };
    for (let at = 0; at < requestsMax; at += 1) void work();
    return () => stop.abort();
  }, [tickers.join(), key]);
  return flows;
}
