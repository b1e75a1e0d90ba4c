import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Complete } from '../../domain/values/complete.ts';
import { damaged } from '../contract/store-fault.ts';

/** The fields of a quote that its row stores as JSON: all except ticker and version. */
type QuoteState = Omit<StoredQuote, 'ticker' | 'version'>;

/** A row of `quotes`. */
export type QuoteRow = readonly [ticker: Ticker, version: number, state: string];

/** The rows of quotes. */
export function toQuoteRows(quotes: readonly StoredQuote[]): readonly QuoteRow[] {
  return quotes.map((quote) => {
    const { ticker, version, plainVersion, session, references, setAside, source, bar } = quote;
    const state: Complete<QuoteState> = {
      plainVersion,
      session,
      references,
      setAside,
      source,
      bar,
    };
    return [ticker, version, JSON.stringify(state)];
  });
}

/**
 * Converts a row to a quote.
 *
 * @throws StoreFault `corrupt`
 */
export function fromQuoteRow(where: string, [ticker, version, state]: QuoteRow): StoredQuote {
  try {
    return { ticker, version, ...(JSON.parse(state) as QuoteState) };
  } catch (cause) {
    throw damaged(where, `the quote of ${ticker} cannot be read`, cause);
  }
}
