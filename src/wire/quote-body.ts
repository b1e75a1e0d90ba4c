import type { Quote } from '../domain/quote.ts';
import { buenosAiresTime } from './buenos-aires-time.ts';
import { formatExactNumber, formatValue } from './number.ts';

/**
 * Rendered quotes. A quote never changes, so it is rendered once, on first use. The text is
 * released together with the quote.
 */
const rendered = new WeakMap<Quote, string>();

/** A quote as JSON: the fields of contract 2.1, in its order. */
export function quoteJson(quote: Quote): string {
  const known = rendered.get(quote);
  if (known !== undefined) return known;
  const text = renderQuote(quote);
  rendered.set(quote, text);
  return text;
}

/** The body of `/cotizaciones`: an array of quotes, as JSON, in the order given. */
export function quoteListJson(quotes: readonly Quote[]): string {
  return `[${quotes.map(quoteJson).join(',')}]`;
}

function renderQuote(quote: Quote): string {
  const { instrument } = quote;
  const price = (value: number): string => formatValue(value, instrument);
  const optional = (name: string, value: number | undefined): string =>
    value === undefined ? '' : `,"${name}":${price(value)}`;
  const hora = quote.asOf === undefined ? '' : `,"hora":"${buenosAiresTime(quote.asOf)}"`;
  const variacion = quote.change === null ? null : quote.change.value;
  return (
    `{"especie":${JSON.stringify(instrument.ticker)},"fecha":"${quote.sessionDate}"${hora}` +
    `,"ultimo":${price(quote.last)}` +
    `,"variacion":${nullable(variacion)}` +
    optional('anterior', quote.previousClose) +
    optional('apertura', quote.open) +
    optional('minimo', quote.low) +
    optional('maximo', quote.high) +
    `,"varMTD":${nullable(quote.monthToDatePct)}` +
    `,"varYTD":${nullable(quote.yearToDatePct)}` +
    `,"volumen":${nullable(quote.volume)}}`
  );
}

function nullable(value: number | null): string {
  return value === null ? 'null' : formatExactNumber(value);
}
