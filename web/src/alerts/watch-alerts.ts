import { computed, effect, signal, untracked } from '@preact/signals';

import type { BondFigures, Quote } from '../market/api/quote.ts';
import { followQuotes, type StreamState } from '../market/api/quote-stream.ts';
import { fetchJson } from '../market/api/service.ts';
import { pause, repeat } from '../ui/pause.ts';
import { noteRefusedKey, usableKey } from '../key/api-key.ts';
import { canonicalTicker, canonicalTickers } from '../market/instruments.ts';
import { observe, type Alert, type AlertKind, type Watched } from '../market/alerts/alert.ts';
import { notify } from './notices.ts';
import { alerts, sights, storeSight } from '../market/alerts/stored-alerts.ts';
import { joinedQuery, selectionQuery } from '../market/stream/joined-selection.ts';
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

/** The selection of the stream that has all quotes of the active alerts. Empty without any. */
const selection = computed(() => {
  const tickers = tickersOf(active.value);
  if (tickers.length === 0) return '';
  const needsBook = active.value.some(({ kind }) => kind === 'spread');
  return joinedQuery([{ tickers, fields: needsBook ? ['compra', 'venta'] : [] }]);
});

/** The selection of the bonds whose yields the active alerts watch. Empty without any. */
const yielding = computed(() =>
  selectionQuery({ tickers: tickersOf(active.value.filter(({ kind }) => kind === 'tir')) }),
);

/** Interval between two requests of yields, which the stream does not have, in milliseconds. */
const yieldMs = 10_000;

/** The latest values of each watched instrument, so that a new alert sees them at once. */
const latest = { quotes: new Map<string, Watched>(), yields: new Map<string, Watched>() };

function tickersOf(some: readonly Alert[]): readonly string[] {
  return canonicalTickers(some.map(({ ticker }) => ticker)).toSorted();
}

/**
 * Watches the alerts while the page is open, also in the background: it reads a stream of its own,
 * which needs no frames. Of several tabs one watches, so that an alert is announced once.
 */
export function watchAlerts(): () => void {
  return effect(() => {
    const { value: selected } = selection;
    watchState.value = 'idle';
    if (usableKey.value === undefined || selected === '') return undefined;
    const stop = new AbortController();
    void watchAlone(
      (stopped) => follow(selected, stopped),
      () => {
        watchState.value = 'elsewhere';
      },
      stop.signal,
    );
    return () => stop.abort();
  });
}

async function follow(selected: string, stopped: AbortSignal): Promise<void> {
  latest.quotes.clear();
  const listener = {
    onState: (state: StreamState) => {
      if (stopped.aborted) return;
      watchState.value = state.kind === 'live' ? 'watching' : 'disconnected';
      if (state.kind === 'refused' && state.status === 401) noteRefusedKey();
    },
    onQuote: (quote: Quote) => {
      if (stopped.aborted) return;
      latest.quotes.set(quote.especie, quote);
      apply(quote);
    },
  };
  // A changed alert on an instrument that is followed already gets no event of its own.
  const stopApplying = effect(() => {
    for (const { ticker, kind } of active.value) {
      const known = valuesOf(kind).get(canonicalTicker(ticker));
      if (known !== undefined) untracked(() => apply(known));
    }
  });
  const stopYields = effect(() => {
    const { value: query } = yielding;
    latest.yields.clear();
    if (query === '') return undefined;
    const stop = new AbortController();
    void followYields(query, AbortSignal.any([stopped, stop.signal]));
    return () => stop.abort();
  });
  await followQuotes(selected, listener, stopped);
  stopApplying();
  stopYields();
}

function valuesOf(kind: AlertKind): ReadonlyMap<string, Watched> {
  return kind === 'tir' ? latest.yields : latest.quotes;
}

/** Requests the yields of bonds by the convention of the service, until the signal aborts. */
function followYields(query: string, stopped: AbortSignal): Promise<void> {
  const options = { signal: stopped, isOnce: true };
  const read = async () => {
    const outcome = await fetchJson<readonly BondFigures[]>(`/bonos?${query}`, options);
    if (stopped.aborted) return;
    for (const { especie, fecha, hora, tir } of outcome.ok ? outcome.value : []) {
      const watched = { especie, fecha, tir, ...(hora === null ? {} : { hora }) };
      latest.yields.set(especie, watched);
      apply(watched);
    }
  };
  return repeat(read, () => pause(yieldMs, stopped), stopped);
}

/** Applies values to the alerts of their instrument. */
function apply(quote: Watched): void {
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

function changes(alert: Alert, quote: Watched): boolean {
  const seen = sights.peek()[alert.id];
  return observe(alert, seen, quote, 0).sight !== seen;
}
