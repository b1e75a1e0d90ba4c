import type { Quote, RequestedField } from '../../market/api/quote.ts';
import { useLiveQuotes } from '../../market/use-live-quotes.ts';

/** The quotes of the instruments of a page. */
export interface ShownQuotes {
  /** The quote of each instrument, in the order of the request. Undefined for one without a quote. */
  readonly quotes: readonly (Quote | undefined)[];
  /** Whether the service has sent the quotes. An instrument may have none. */
  readonly isLoaded: boolean;
}

/**
 * Follows the quotes of the instruments, with further fields, over one stream while the component is
 * mounted. When the instruments change, those that remain keep their quotes until the new stream sends
 * them.
 */
export function useQuotes(
  tickers: readonly string[],
  fields: readonly RequestedField[] = [],
): ShownQuotes {
  const live = useLiveQuotes({ tickers, fields });
  const quotes = tickers.map((ticker) => live?.quote(ticker).value);
  return { quotes, isLoaded: (live?.moment.value ?? 0) > 0 };
}
