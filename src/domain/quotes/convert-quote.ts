import { toEpochDay } from '../calendar/plain-date.ts';
import {
  factorInto,
  isConvertible,
  rateOn,
  type ConvertedCurrency,
} from '../history/convert-series.ts';
import type { CloseSeries } from '../history/daily-close.ts';
import { comparableClose, type ReferenceClose } from '../history/reference-closes.ts';
import { adjustedDecimals, roundAdjusted } from '../values/rounding.ts';
import { makeQuote, type Quote } from './quote.ts';

/** What a quote is converted by: the latest quote of a dollar in pesos, and its closes. */
export interface QuoteConversion {
  readonly to: ConvertedCurrency;
  readonly dollar: Quote | undefined;
  readonly closes: CloseSeries;
}

/**
 * Converts the prices of a quote by the latest quote of a dollar of the same session, and each close that it is
 * compared with by the dollar of its own day, as series are (contract 4.1.8). A previous close that only a source has
 * reported is one of the day before. Volume and amount stay.
 *
 * @returns the quote itself if it is in the currency, and undefined without such a dollar
 */
export function convertQuote(
  quote: Quote,
  { to, dollar, closes }: QuoteConversion,
): Quote | undefined {
  const { instrument, sessionDate, references, book } = quote;
  if (instrument.currency === to) return quote;
  const isOfSession = dollar?.sessionDate === sessionDate && dollar.last > 0;
  if (!isOfSession || !isConvertible(instrument.currency)) return undefined;
  const now = factorInto(to, dollar.last);
  const priced = <Price extends number | undefined>(price: Price) =>
    (price === undefined ? price : roundAdjusted(price * now)) as Price;
  const closeAt = (day: number, close: number): number | undefined => {
    const rate = rateOn(closes, day);
    return rate === undefined ? undefined : roundAdjusted(close * factorInto(to, rate));
  };
  const bases = Object.entries(references) as [string, ReferenceClose][];
  const converted = bases.flatMap(([name, base]) => {
    const close = closeAt(base.day, comparableClose(base));
    return close === undefined ? [] : [[name, { day: base.day, close }] as const];
  });
  const { last, open, high, low, previousClose } = quote;
  const isReported = references.previous === undefined && previousClose !== undefined;
  return makeQuote(
    { ...instrument, currency: to, decimals: adjustedDecimals },
    {
      ...quote,
      session: {
        ...quote,
        last: priced(last),
        open: priced(open),
        high: priced(high),
        low: priced(low),
        book: book && { ...book, bid: priced(book.bid), ask: priced(book.ask) },
      },
      references: Object.fromEntries(converted),
      sourcePreviousClose: isReported
        ? closeAt(toEpochDay(sessionDate) - 1, previousClose)
        : undefined,
    },
  );
}
