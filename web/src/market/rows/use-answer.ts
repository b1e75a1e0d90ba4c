import { useEffect, useMemo, useState } from 'preact/hooks';

import { usableKey } from '../../key/api-key.ts';
import type { InstrumentInfo } from '../api/quote.ts';
import { fetchJson } from '../api/service.ts';

/** What the service said to one request: nothing yet, rows, or why it refuses. */
export interface Answer<Row> {
  readonly rows?: readonly Row[];
  readonly refusal?: string;
}

const pending: Answer<never> = {};

/** Maximum number of concurrent requests. A browser opens six connections to a server. */
const requestsMax = 3;

/** The rows of some paths as they are received, each requested once, and again while the service is unreachable. */
export function useAnswers<Row>(paths: readonly string[]): ReadonlyMap<string, Answer<Row>> {
  const [known, setKnown] = useState<ReadonlyMap<string, Answer<Row>>>(new Map());
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const queue = [...paths];
    const work = async (): Promise<void> => {
      for (const path of takenFrom(queue)) {
        // oxlint-disable-next-line no-await-in-loop
        const outcome = await fetchJson<readonly Row[]>(path, { signal });
        if (signal.aborted) return;
        const failure = outcome.ok ? undefined : outcome.failure;
        const refusal = failure?.kind === 'refused' ? { refusal: failure.message } : pending;
        setKnown((before) =>
          new Map(before).set(path, outcome.ok ? { rows: outcome.value } : refusal),
        );
      }
    };
    for (let at = 0; at < requestsMax; at += 1) void work();
    return () => stop.abort();
  }, [paths.join(' '), usableKey.value]);
  return known;
}

/** Takes the items of a queue until it is empty. */
function* takenFrom<T>(queue: T[]): Generator<T> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) yield next;
}

/** The rows of one path. Undefined requests nothing. */
export function useAnswer<Row>(path: string | undefined): Answer<Row> {
  return useAnswers<Row>(path === undefined ? [] : [path]).get(path ?? '') ?? pending;
}

/** The terms that the views of several bonds need. */
const termsPath = '/especies.json?campos=base,clase,emisor,ley,monedaPagos';

/** The classes and terms of each instrument, by ticker. Undefined until they are received. */
export function useTerms(): ReadonlyMap<string, InstrumentInfo> | undefined {
  const { rows } = useAnswer<InstrumentInfo>(termsPath);
  return useMemo(
    () => (rows === undefined ? undefined : new Map(rows.map((row) => [row.especie, row]))),
    [rows],
  );
}
