import type { Quote } from '../quotes/quote.ts';
import type { BondPrice } from './value-bond.ts';

/** The price of a quote, of 100 of the original nominal whatever nominal the market quotes. */
export function quotedPrice({
  instrument: { currency, pricePer },
  last,
}: Pick<Quote, 'instrument' | 'last'>): BondPrice {
  return { amount: (last * 100) / pricePer, currency, form: 'quoted' };
}
