import type { Universe } from '../../domain/instruments/universe.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Quote } from '../../domain/quotes/quote.ts';

/**
 * A quote in a message to another process, with its instrument as a ticker. Structured clone preserves every number
 * and undefined fields exactly. JSON does not.
 */
export type PackedQuote = Omit<Quote, 'instrument'> & { readonly ticker: Ticker };

/** Packs a quote. Only the process that runs the feeds needs to know which one gave the price. */
export function packQuote({ instrument: { ticker }, ...fields }: Quote): PackedQuote {
  const { source } = fields;
  return { ...fields, ticker, source: source && { ...source, via: undefined } };
}

/** Unpacks a quote. Its instrument is that of this process's copy of the universe. */
export function unpackQuote({ ticker, ...fields }: PackedQuote, universe: Universe): Quote {
  return { ...fields, instrument: universe.get(ticker) };
}
