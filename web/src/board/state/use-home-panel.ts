import { useEffect } from 'preact/hooks';

import { usableKey } from '../../key/api-key.ts';
import { fetchJson, type Outcome } from '../../market/api/service.ts';
import { panels } from '../../market/panels.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import { isPanelChosen, openInstead } from '../../places/home-panel.ts';
import { pause, repeat } from '../../ui/pause.ts';
import type { BoardPlace } from '../../places/route.ts';

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
    const codes = panels.map(({ value }) => value);
    const search = async () => {
      if (signal.aborted || !isEmpty() || document.hidden) return;
      const found = await findPanel(codes, read);
      if (found !== undefined && !signal.aborted) openInstead(found);
    };
    const pauses = [...firstPausesMs];
    const wait = () => pause(pauses.shift() ?? laterPauseMs, signal);
    void wait().then(() => repeat(search, wait, signal));
    return () => stop.abort();
  }, [isFree, live, usableKey.value]);
}

/**
 * The first of some panels that has quotes. Undefined if none has, or if the service does not respond.
 *
 * @param read requests the quotes of a panel.
 */
export async function findPanel(
  codes: readonly string[],
  read: (panel: string) => Promise<Outcome<readonly unknown[]>>,
): Promise<string | undefined> {
  for (const panel of codes) {
    const outcome = await read(panel);
    if (!outcome.ok) return undefined;
    if (outcome.value.length > 0) return panel;
  }
  return undefined;
}
