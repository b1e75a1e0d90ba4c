import { computed, effect, signal } from '@preact/signals';

import type { Quote } from '../market/api/quote.ts';
import { followQuotes } from '../market/api/quote-stream.ts';
import type { StreamState } from '../market/api/quote-stream.ts';
import { keyRefusal, usableKey } from '../key/api-key.ts';
import { canonicalTicker } from '../market/canonical-ticker.ts';
import { announce } from './notices.ts';
import { observe } from './price-alert.ts';
import { priceAlerts, updateAlert } from './stored-alerts.ts';

/** Who watches the alerts. */
export type WatchState =
  /** Nobody: there are no alerts or there is no key. */
  | 'idle'
  /** This tab, while its connection works. */
  | 'watching'
  /** This tab, but the connection is broken. */
  | 'disconnected'
  /** Another tab of this browser. */
  | 'elsewhere';

/** Who watches the alerts now. */
export const watchState = signal<WatchState>('idle');

const lockName = 'pizarra.alerts';

const watchedTickers = computed(() =>
  [...new Set(priceAlerts.value.map(({ ticker }) => canonicalTicker(ticker)))].toSorted().join(','),
);

/**
 * Watches the alerts while the page is open, also in the background: it reads a stream of its own,
 * which needs no frames. Of several tabs one watches, so that an alert is announced once. The lock
 * also keeps browsers from freezing the tab.
 */
export function watchAlerts(): void {
  effect(() => {
    const key = usableKey.value;
    const tickers = watchedTickers.value;
    watchState.value = 'idle';
    if (key === undefined || tickers === '') return undefined;
    const stop = new AbortController();
    void watchAlone(() => follow(tickers, key, stop.signal), stop.signal);
    return () => stop.abort();
  });
}

/** Runs a task while no other tab does. */
async function watchAlone(task: () => Promise<void>, stopped: AbortSignal): Promise<void> {
  // Pages without TLS, other than those of this machine, have no locks.
  if (!('locks' in navigator)) return task();
  watchState.value = 'elsewhere';
  // An aborted request for the lock is rejected.
  await navigator.locks.request(lockName, { signal: stopped }, task).catch(() => {});
}

async function follow(tickers: string, key: string, stopped: AbortSignal): Promise<void> {
  const listener = {
    onState: (state: StreamState) => {
      watchState.value = state.kind === 'live' ? 'watching' : 'disconnected';
      if (state.kind === 'refused' && state.status === 401) keyRefusal.value = state.message;
    },
    onQuote: apply,
  };
  const selection = tickers.split(',').map(encodeURIComponent).join(',');
  await followQuotes(`especie=${selection}`, key, listener, stopped);
}

/** Applies a quote to the alerts of its instrument. */
function apply(quote: Quote): void {
  for (const alert of priceAlerts.value) {
    if (canonicalTicker(alert.ticker) !== quote.especie) continue;
    const seen = observe(alert, quote);
    if (seen.alert !== alert) updateAlert(seen.alert);
    if (seen.hasCrossed) announce(seen.alert);
  }
}
