import type { MarketState } from '../api/health.ts';
import type { Quote } from '../api/quote.ts';

/** How much a quote says about the present. */
export type Freshness =
  /** Its market is trading, and it changed within the last minutes. */
  | 'fresh'
  /** Its market is trading, and it has been silent for longer, or is of an earlier session. */
  | 'stale'
  /** Its market is closed: it is the last word of its session. */
  | 'closed'
  /** The market is not known. */
  | 'unknown';

/** An instrument that has not traded for so long is worth a mark while its market is open. */
export const staleAfterMs = 15 * 60_000;

/** Buenos Aires has had one offset since 2009; the page only ever compares present times by it. */
const buenosAires = '-03:00';

/** The mark of a quote at an instant of the service's own time. */
export function freshnessOf(
  quote: Pick<Quote, 'fecha' | 'hora'>,
  market: MarketState | undefined,
  now: number,
): Freshness {
  if (market === undefined) return 'unknown';
  if (market.estado === 'cerrado') return 'closed';
  if (quote.fecha < market.rueda) return 'stale';
  // Without a time of its own, that it is of the session under way is all there is to know.
  if (quote.hora === undefined) return 'fresh';
  const changedAt = Date.parse(`${quote.fecha}T${quote.hora}${buenosAires}`);
  return now - changedAt > staleAfterMs ? 'stale' : 'fresh';
}
