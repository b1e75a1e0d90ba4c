import { useEffect, useRef } from 'preact/hooks';

import { usableKey } from '../../key/api-key.ts';
import type { Adjustment, Quote } from '../../market/api/quote.ts';
import { fetchSeries } from '../../market/api/series-rows.ts';
import { markets } from '../../market/health-watch.ts';
import { instruments } from '../../market/instruments.ts';

/** The interval at which the close of an ended session is requested, in milliseconds. */
const pauseMs = 60_000;

/**
 * Reports when the close of a session that has ended is stored. That is some time after the close of
 * its market (contract 2.6.4), and no event of the stream says so.
 */
export function useStoredCloses(
  sessions: readonly (Quote | undefined)[],
  adjustment: Adjustment,
  onStored: (ticker: string) => void,
): void {
  const ended = sessions.flatMap((quote) => (quote !== undefined && isEnded(quote) ? quote : []));
  const latest = useRef(onStored);
  latest.current = onStored;
  useEffect(() => {
    if (ended.length === 0) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const look = async (ticker: string, day: string) => {
      const params = { especie: ticker, desde: day, hasta: day, ajuste: adjustment };
      const outcome = await fetchSeries(new URLSearchParams(params), {
        signal,
        isOnce: true,
      });
      if (!signal.aborted && outcome.ok && outcome.value.rows.length > 0) latest.current(ticker);
    };
    const lookAtAll = () => {
      for (const { especie, fecha } of ended) void look(especie, fecha);
    };
    lookAtAll();
    const timer = setInterval(lookAtAll, pauseMs);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [
    ended.map(({ especie, fecha }) => `${especie} ${fecha}`).join(','),
    adjustment,
    usableKey.value,
  ]);
}

function isEnded({ especie, fecha }: Quote): boolean {
  const market = markets.value.get(instruments.value.get(especie)?.mercado ?? '');
  return market !== undefined && (market.estado === 'cerrado' || fecha < market.rueda);
}
