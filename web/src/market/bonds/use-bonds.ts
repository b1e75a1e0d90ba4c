import { effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import type { BondFigures } from '../api/quote.ts';
import { pause, retried } from '../api/retry.ts';
import { fetchJson } from '../api/service.ts';
import { connection } from '../connection.ts';
import { renewedBonds } from './renewed-bonds.ts';

/** The figures of the bonds of a selection, by ticker. Undefined before the first response. */
export type Bonds = ReadonlySignal<ReadonlyMap<string, BondFigures> | undefined>;

/** Interval between two requests, in milliseconds. */
const renewalMs = 10_000;

/**
 * The figures of the bonds of a selection (`/bonos`), while they are shown. They are requested again while
 * the tab is visible and the quotes are live; the cache of the browser sends the ETag. Figures that cannot be
 * renewed beside live quotes are removed, because they would not belong to the prices.
 *
 * @param query the selection (`panel` or `especie`) and the convention. Undefined to request nothing.
 */
export function useBonds(query: string | undefined, key: string): Bonds {
  const bonds = useMemo(
    () => signal<ReadonlyMap<string, BondFigures> | undefined>(undefined),
    [key],
  );
  useEffect(() => {
    // Figures of another selection or convention must not stay under the new name.
    bonds.value = undefined;
    if (query === undefined) return undefined;
    const stop = new AbortController();
    void follow(query, key, stop.signal, (rows) => {
      bonds.value = rows === undefined ? undefined : renewedBonds(bonds.peek(), rows);
    });
    return () => stop.abort();
  }, [query, key, bonds]);
  return bonds;
}

/** Requests the figures until the signal aborts or the service refuses. `show` receives each response. */
async function follow(
  query: string,
  key: string,
  stopped: AbortSignal,
  show: (rows: readonly BondFigures[] | undefined) => void,
): Promise<void> {
  const request = () =>
    fetchJson<readonly BondFigures[]>(`/bonos?${query}`, { key, signal: stopped });
  const onFailure = () => {
    if (isLive()) show(undefined);
  };
  while (!stopped.aborted) {
    // oxlint-disable-next-line no-await-in-loop
    const outcome = await retried(request, stopped, onFailure);
    if (stopped.aborted) return;
    show(outcome.ok ? outcome.value : undefined);
    // The stream beside it reports a refused request.
    if (!outcome.ok) return;
    // oxlint-disable-next-line no-await-in-loop
    await pause(renewalMs, stopped);
    // oxlint-disable-next-line no-await-in-loop
    await untilWatched(stopped);
  }
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
