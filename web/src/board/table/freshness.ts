import type { MarketState, Quote } from '../../market/api/quote.ts';
import { quoteInstant } from '../../market/format/buenos-aires.ts';

/** How current a quote is. */
export type Freshness =
  /** The market is open, and the quote changed within the last minutes. */
  | 'fresh'
  /** The market is open, and the quote has not changed for longer. */
  | 'stale'
  /** The market is closed, and the quote belongs to its last session. */
  | 'closed'
  /** The quote belongs to a session before the current or last one of its market. */
  | 'earlier'
  /** The market is not known. */
  | 'unknown';

/** After this time without a change, an instrument of an open market is stale. */
export const staleAfterMs = 15 * 60_000;

/** The freshness of a quote at an instant of the clock of the service. */
export function freshnessOf(
  quote: Pick<Quote, 'fecha' | 'hora'>,
  market: MarketState | undefined,
  now: number,
): Freshness {
  if (market === undefined) return 'unknown';
  if (quote.fecha < market.rueda) return 'earlier';
  if (market.estado === 'cerrado') return 'closed';
  // Without a time, the only known fact is that the quote belongs to the current session.
  if (quote.hora === undefined) return 'fresh';
  return now - quoteInstant(quote.fecha, quote.hora) > staleAfterMs ? 'stale' : 'fresh';
}
