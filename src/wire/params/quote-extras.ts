import { bookFields } from '../../domain/quotes/quote-fields.ts';
import { extraOf } from '../../domain/quotes/quote-extra.ts';
import type { QuoteExtra } from '../../domain/quotes/quote-extra.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { formatExactNumber, formatValue } from '../texts/number.ts';

/** The text of an extra: prices as those of the quote, other numbers exactly. Undefined if not known. */
export function extraText(quote: Quote, extra: QuoteExtra): string | undefined {
  const value = extraOf(quote, extra);
  if (typeof value !== 'number') return value;
  const isPrice = extra !== 'source' && bookFields[extra] === 'price';
  return isPrice ? formatValue(value, quote.instrument) : formatExactNumber(value);
}
