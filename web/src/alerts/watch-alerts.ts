import { computed, effect, signal, untracked } from '@preact/signals';

import type { Quote } from '../market/api/quote.ts';
import { followQuotes, type StreamState } from '../market/api/quote-stream.ts';
import { noteRefusedKey, usableKey } from '../key/api-key.ts';
import { canonicalTicker } from '../market/canonical-ticker.ts';
import { observe, type Alert } from './alert.ts';
import { notify } from './notices.ts';
import { alerts, sights, storeSight } from './stored-alerts.ts';
import { watchAlone } from './watch-alone.ts';

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

const active = computed(() => alerts.value.filter(({ isPaused }) => isPaused !== true));

/** The selection of the stream that has all values of the active alerts. Empty without any. */
const selection = computed(() => {
  const tickers = new Set(active.value.map(({ ticker }) => canonicalTicker(ticker)));
  if (tickers.size === 0) return '';
  const named = [...tickers].toSorted().map(encodeURIComponent).join(',');
  const needsBook = active.value.some(({ kind }) => kind === 'spread');
  return `especie=${named}${needsBook ? '&campos=compra,venta' : ''}`;
});

/** The latest quote of each watched instrument, so that a new alert sees it at once. */
const latest = new Map<string, Quote>();

/**
 * Watches the alerts while the page is open, also in the background: it reads a stream of its own,
 * which needs no frames. Of several tabs one watches, so that an alert is announced once.
 */
export function watchAlerts(): void {
  effect(() => {
    const key = usableKey.value;
    const { value: selected } = selection;
    watchState.value = 'idle';
    if (key === undefined || selected === '') return undefined;
    const stop = new AbortController();
    void watchAlone(
      (stopped) => follow(selected, key, stopped),
      () => {
        watchState.value = 'elsewhere';
      },
      stop.signal,
    );
    return () => stop.abort();
  });
}

async function follow(selected: string, key: string, stopped: AbortSignal): Promise<void> {
  latest.clear();
  const listener = {
    onState: (state: StreamState) => {
      if (stopped.aborted) return;
      watchState.value = state.kind === 'live' ? 'watching' : 'disconnected';
      if (state.kind === 'refused' && state.status === 401) noteRefusedKey();
    },
    onQuote: (quote: Quote) => {
      if (stopped.aborted) return;
      latest.set(quote.especie, quote);
      apply(quote);
    },
  };
  // A changed alert on an instrument that is followed already gets no event of its own.
  const stopApplying = effect(() => {
    for (const ticker of new Set(active.value.map((alert) => canonicalTicker(alert.ticker)))) {
      const quote = latest.get(ticker);
      if (quote !== undefined) untracked(() => apply(quote));
    }
  });
  await followQuotes(selected, key, listener, stopped);
  stopApplying();
}

/** Applies a quote to the alerts of its instrument. */
function apply(quote: Quote): void {
  for (const alert of active.peek()) {
    if (canonicalTicker(alert.ticker) !== quote.especie) continue;
    if (!changes(alert, quote)) continue;
    // A tab that has just lost or won the watch must not announce what the other one has announced.
    sights.readAgain();
    const { sight, hasCrossed } = observe(alert, sights.peek()[alert.id], quote, Date.now());
    if (sight === undefined) continue;
    storeSight(alert.id, sight);
    if (hasCrossed && sight.crossed !== undefined) notify(alert, sight.crossed);
  }
}

function changes(alert: Alert, quote: Quote): boolean {
  const seen = sights.peek()[alert.id];
  return observe(alert, seen, quote, 0).sight !== seen;
}
