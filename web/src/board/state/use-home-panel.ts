import { useEffect } from 'preact/hooks';

import { usableKey } from '../../key/api-key.ts';
import { fetchJson } from '../../market/api/service.ts';
import { panels } from '../../market/panels.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { isPanelChosen, openInstead } from '../../places/home-panel.ts';
import type { BoardPlace } from '../../places/route.ts';
import { findPanel } from './find-panel.ts';

/** Pauses before the first searches, in milliseconds: sources take seconds after a start of the service. */
const firstPausesMs = [1_000, 3_000];

/** The pause before each later search, in milliseconds. */
const laterPauseMs = 15_000;

/**
 * Opens the first panel that has quotes in place of a panel that has none, if neither the address nor the
 * person has chosen one. It searches again while no panel has quotes.
 */
export function useHomePanel(place: BoardPlace, live: LiveQuotes): void {
  const isFree = 'isHome' in place && !isPanelChosen.value;
  useEffect(() => {
    if (!isFree) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const read = (panel: string) => {
      const query = `panel=${encodeURIComponent(panel)}`;
      const options = { signal, isOnce: true };
      return fetchJson<readonly unknown[]>(`/cotizaciones?${query}`, options);
    };
    const isEmpty = () =>
      live.moment.peek() > 0 && live.rows().every(({ quote }) => quote === undefined);
    let searches = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const search = async () => {
      if (isEmpty() && !document.hidden) {
        const found = await findPanel(
          panels.map(({ value }) => value),
          read,
        );
        if (signal.aborted) return;
        if (found !== undefined) openInstead(found);
      }
      plan();
    };
    const plan = () => {
      timer = setTimeout(() => void search(), firstPausesMs[searches] ?? laterPauseMs);
      searches += 1;
    };
    plan();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [isFree, live, usableKey.value]);
}
