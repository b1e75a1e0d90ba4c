import type { MarketState, Quote } from './api/quote.ts';
import { silentSince } from './connection.ts';
import { markets } from './health-watch.ts';
import { instruments } from './instruments.ts';

/** What is known of the session of a quote. */
export type Freshness =
  /** It belongs to the session of its market that is under way, or to the last one. */
  | 'current'
  /** It belongs to a session before that. */
  | 'earlier'
  /** The service or the source of the price is silent, or the market is not known. */
  | 'unknown';

/**
 * The freshness of a quote, for every view: the table, the map, the wall, the summary and the page of the
 * instrument. What reads it is redrawn when it changes.
 */
export function freshnessOf({ especie, fecha }: Pick<Quote, 'especie' | 'fecha'>): Freshness {
  const isStale = instruments.value.get(especie)?.atrasada === true;
  return freshnessIn(marketOf(especie), fecha, isStale || silentSince.value !== undefined);
}

/** The freshness of a quote of a session day in its market. */
export function freshnessIn(
  market: Pick<MarketState, 'rueda'> | undefined,
  day: string,
  isSilent: boolean,
): Freshness {
  if (market === undefined || isSilent) return 'unknown';
  return day < market.rueda ? 'earlier' : 'current';
}

/** The state of the market of an instrument. Undefined while it is not known. */
export function marketOf(ticker: string): MarketState | undefined {
  return markets.value.get(instruments.value.get(ticker)?.mercado ?? '');
}
