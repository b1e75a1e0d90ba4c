import { bookFields } from '../../domain/quotes/quote-fields.ts';
import { extraOf } from '../../domain/quotes/quote-extra.ts';
import type { QuoteExtra } from '../../domain/quotes/quote-extra.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { InstantTexts } from '../texts/instant-texts.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { formatValue } from '../texts/number.ts';

/** Whether an extra is a text. The others are numbers. */
export function isTextExtra(extra: QuoteExtra): boolean {
  return extra === 'source' || extra === 'instant';
}

/**
 * The text of an extra: prices as those of the quote, other numbers exactly. Undefined if not known.
 *
 * @param instants renders the instant. Without it, the instant cannot be requested.
 */
export function extraText(
  quote: Quote,
  extra: QuoteExtra,
  instants: InstantTexts | undefined,
): string | undefined {
  if (extra === 'instant') {
    if (instants === undefined) throw new Error('the instant needs the markets of the universe');
    return quote.asOf === undefined ? undefined : instants.at(quote.instrument, quote.asOf);
  }
  const value = extraOf(quote, extra);
  if (typeof value !== 'number') return value;
  const isPrice = extra !== 'source' && bookFields[extra] === 'price';
  return isPrice ? formatValue(value, quote.instrument) : formatExactNumber(value);
}
