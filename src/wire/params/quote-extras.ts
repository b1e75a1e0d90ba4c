import { extraOf } from '../../domain/quotes/quote-extra.ts';
import type { QuoteExtra } from '../../domain/quotes/quote-extra.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { formatExactNumber, formatValue } from '../texts/number.ts';

/** The public names of the extras of a quote (contract 2.7). */
export const extraNames: Readonly<Record<QuoteExtra, string>> = {
  bid: 'compra',
  ask: 'venta',
  bidSize: 'cantCompra',
  askSize: 'cantVenta',
  amount: 'monto',
  trades: 'operaciones',
  source: 'fuente',
};

/** The text of an extra: prices as those of the quote, other numbers exactly. Undefined if not known. */
export function extraText(quote: Quote, extra: QuoteExtra): string | undefined {
  const value = extraOf(quote, extra);
  if (typeof value !== 'number') return value;
  const isPrice = extra === 'bid' || extra === 'ask';
  return isPrice ? formatValue(value, quote.instrument) : formatExactNumber(value);
}
