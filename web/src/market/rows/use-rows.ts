import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { usableKey } from '../../key/api-key.ts';
import { pause, repeat } from '../../ui/pause.ts';
import type { BondFigures, InstrumentInfo } from '../api/quote.ts';
import { fetchJson } from '../api/service.ts';
import { connection } from '../connection.ts';

/** Interval between two requests, in milliseconds. */
const renewalMs = 10_000;

/** Rows by their names. Undefined before the first response. */
export type Rows<Row> = ReadonlySignal<ReadonlyMap<string, Row> | undefined>;

/**
 * Rows that follow from the prices, while they are shown. They are requested again while the tab is visible and the
 * quotes are live; the cache of the browser sends the ETag. Rows that cannot be renewed beside live quotes are
 * removed, because they would not belong to the prices.
 *
 * @param path undefined to request nothing.
 * @param nameOf the name of a row, unique in a response.
 */
export function useRows<Row>(path: string | undefined, nameOf: (row: Row) => string): Rows<Row> {
  const key = usableKey.value;
  const rows = useMemo(() => signal<ReadonlyMap<string, Row> | undefined>(undefined), [key]);
  useEffect(() => {
    // Rows of another path must not stay under the new one.
    rows.value = undefined;
    if (path === undefined || key === undefined) return undefined;
    const stop = new AbortController();
    const { signal: stopped } = stop;
    const onFailure = () => {
      if (isLive()) rows.value = undefined;
    };
    const read = async () => {
      const outcome = await fetchJson<readonly Row[]>(path, { signal: stopped, onFailure });
      if (stopped.aborted) return;
      rows.value = outcome.ok ? renewedRows(rows.peek(), outcome.value, nameOf) : undefined;
      // The stream beside it reports a refused request.
      if (!outcome.ok) stop.abort();
    };
    const wait = () => pause(renewalMs, stopped).then(() => untilWatched(stopped));
    void repeat(read, wait, stopped);
    return () => stop.abort();
  }, [path, key, rows]);
  return rows;
}

/** The figures of the bonds of a selection, by ticker. Undefined before the first response. */
export type Bonds = Rows<BondFigures>;

/**
 * The figures of the bonds of a selection (`/bonos`), while they are shown.
 *
 * @param query the selection (`panel` or `especie`) and the convention. Undefined to request nothing.
 */
export function useBonds(query: string | undefined): Bonds {
  return useRows(query === undefined ? undefined : `/bonos?${query}`, tickerOf);
}

function tickerOf({ especie }: BondFigures): string {
  return especie;
}

/**
 * The rows of a response, by name. Those that are equal to the ones before are the same objects, and equal rows
 * are the same map, so that nothing is drawn again without a change.
 */
export function renewedRows<Row>(
  before: ReadonlyMap<string, Row> | undefined,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): ReadonlyMap<string, Row> {
  const next = new Map(
    rows.map((row) => {
      const name = nameOf(row);
      const known = before?.get(name);
      const isEqual = known !== undefined && JSON.stringify(known) === JSON.stringify(row);
      return [name, isEqual ? known : row] as const;
    }),
  );
  const isSame =
    before?.size === next.size && [...next].every(([name, row]) => before.get(name) === row);
  return isSame ? before : next;
}

function isLive(): boolean {
  return connection.peek()?.kind === 'live';
}

/** Waits until the tab is visible and the quotes are live, or the signal aborts. */
async function untilWatched(stopped: AbortSignal): Promise<void> {
  const watched = Promise.withResolvers<void>();
  const look = () => {
    const isWatched = document.visibilityState === 'visible' && isLive();
    if (isWatched || stopped.aborted) watched.resolve();
  };
  const end = effect(() => {
    void connection.value;
    look();
  });
  document.addEventListener('visibilitychange', look);
  stopped.addEventListener('abort', look);
  await watched.promise;
  end();
  document.removeEventListener('visibilitychange', look);
  stopped.removeEventListener('abort', look);
}

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
    // An answer to a path that is not shown any more would be shown as if it were new when the path comes back.
    setKnown((before) => {
      const kept = [...before].filter(([path]) => paths.includes(path));
      return kept.length === before.size ? before : new Map(kept);
    });
    const stop = new AbortController();
    const { signal: stopped } = stop;
    const queue = [...paths];
    const work = async (): Promise<void> => {
      for (const path of takenFrom(queue)) {
        // oxlint-disable-next-line no-await-in-loop
        const outcome = await fetchJson<readonly Row[]>(path, { signal: stopped });
        if (stopped.aborted) return;
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
