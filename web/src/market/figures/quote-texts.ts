import type { Quote } from '../api/quote.ts';
import { decimalsOf } from '../columns.ts';
import {
  wayOf,
  absent,
  formatChange,
  formatDay,
  formatPrice,
  type ChangeUnit,
} from '../format/numbers.ts';
import { freshnessOf, type Freshness } from '../freshness.ts';
import { changeUnitOf, instruments } from '../instruments.ts';

/** The texts of a quote in one line. */
interface QuoteTexts {
  /** The name of the instrument. */
  readonly name: string | undefined;
  readonly unit: ChangeUnit | undefined;
  readonly freshness: Freshness;
  readonly price: string;
  /** The change or, of a quote of an earlier session, its day. */
  readonly change: string;
  /** The class of the colour of the change. */
  readonly way: string;
}

/** The texts of the quote of an instrument in one line. Without a quote, the values are dashes. */
export function quoteTexts(ticker: string, quote: Quote | undefined): QuoteTexts {
  const info = instruments.value.get(ticker);
  const unit = changeUnitOf(info);
  const freshness = freshnessOf(quote);
  const isEarlier = quote !== undefined && freshness === 'earlier';
  return {
    name: info?.nombre,
    unit,
    freshness,
    price: quote === undefined ? absent : formatPrice(quote.ultimo, decimalsOf(quote)),
    change: isEarlier ? formatDay(quote.fecha) : formatChange(quote?.variacion, unit),
    way: isEarlier ? '' : wayOf(quote?.variacion ?? null, unit),
  };
}
