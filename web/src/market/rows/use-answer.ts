import { useEffect, useMemo, useState } from 'preact/hooks';

import type { InstrumentInfo } from '../api/quote.ts';
import { fetchJson } from '../api/service.ts';

/** What the service said to one request: nothing yet, rows, or why it refuses. */
export interface Answer<Row> {
  readonly rows?: readonly Row[];
  readonly refusal?: string;
}

const pending: Answer<never> = {};

/**
 * The rows of a path, requested once, and again while the service is unreachable.
 *
 * @param path undefined to request nothing.
 */
export function useAnswer<Row>(path: string | undefined, key: string): Answer<Row> {
  const [known, setKnown] = useState<Answer<Row> & { readonly of: string }>();
  useEffect(() => {
    if (path === undefined) return undefined;
    const stop = new AbortController();
    const read = async () => {
      const outcome = await fetchJson<readonly Row[]>(path, { key, signal: stop.signal });
      if (stop.signal.aborted) return;
      if (outcome.ok) setKnown({ of: path, rows: outcome.value });
      else if (outcome.failure.kind === 'refused') {
        setKnown({ of: path, refusal: outcome.failure.message });
      }
    };
    void read();
    return () => stop.abort();
  }, [path, key]);
  return known !== undefined && known.of === path ? known : pending;
}

/** The terms that the views of several bonds need. */
const termsPath = '/especies.json?campos=base,clase,emisor,ley,monedaPagos';

/** The classes and terms of each instrument, by ticker. Undefined until they are received. */
export function useTerms(key: string): ReadonlyMap<string, InstrumentInfo> | undefined {
  const { rows } = useAnswer<InstrumentInfo>(termsPath, key);
  return useMemo(
    () => (rows === undefined ? undefined : new Map(rows.map((row) => [row.especie, row]))),
    [rows],
  );
}
