import type { MarketState } from '../api/health.ts';
import type { Quote } from '../api/quote.ts';
import { quoteInstant } from '../format/buenos-aires.ts';

/** How much a quote tells of the present. */
export type Freshness =
  /** Its market is open, and it changed within the last minutes. */
  | 'fresh'
  /** Its market is open, and it has not changed for longer. */
  | 'stale'
  /** Its market is closed, and it is of the market's last session. */
  | 'closed'
  /** It is of an earlier session than the current or last one of its market. */
  | 'earlier'
  /** The market is not known. */
  | 'unknown';

/** An instrument of an open market is marked as stale after this time without a change. */
export const staleAfterMs = 15 * 60_000;

/** The freshness of a quote at an instant of the service's own time. */
export function freshnessOf(
  quote: Pick<Quote, 'fecha' | 'hora'>,
  market: MarketState | undefined,
  now: number,
): Freshness {
  if (market === undefined) return 'unknown';
  if (quote.fecha < market.rueda) return 'earlier';
  if (market.estado === 'cerrado') return 'closed';
  // Without a time, all that is known of the quote is that it is of the current session.
  if (quote.hora === undefined) return 'fresh';
  return now - quoteInstant(quote.fecha, quote.hora) > staleAfterMs ? 'stale' : 'fresh';
}
