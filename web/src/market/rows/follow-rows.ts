import { effect } from '@preact/signals';

import { pause, retried } from '../api/retry.ts';
import type { Outcome } from '../api/service.ts';
import { connection } from '../connection.ts';

/** Interval between two requests, in milliseconds. */
const renewalMs = 10_000;

/**
 * Requests rows that follow from the prices, until the signal aborts or the service refuses. They are requested
 * again while the tab is visible and the quotes are live; the cache of the browser sends the ETag. Rows that
 * cannot be renewed beside live quotes are removed, because they would not belong to the prices.
 *
 * @param show receives each response, and undefined in place of rows that are removed.
 */
export async function followRows<Row>(
  request: () => Promise<Outcome<readonly Row[]>>,
  stopped: AbortSignal,
  show: (rows: readonly Row[] | undefined) => void,
): Promise<void> {
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
