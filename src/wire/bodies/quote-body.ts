import type { Quote } from '../../domain/quotes/quote.ts';
import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { QuoteExtra, QuoteExtras } from '../../domain/quotes/quote-extra.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import { buenosAiresTime } from '../texts/buenos-aires-time.ts';
import { extraText } from '../params/quote-extras.ts';
import { extraNames } from '../texts/quote-names.ts';
import { formatExactNumber, formatValue } from '../texts/number.ts';

/** A quote as JSON: the fields of contract 2.1, in its order, and then the extras that are known. */
export function quoteJson(quote: Quote, extras: QuoteExtras = noExtras): string {
  const plain = plainJson(quote);
  if (extras === noExtras) return plain;
  return `${plain.slice(0, -1)}${extras.map((extra) => extraJson(quote, extra)).join('')}}`;
}

/** The body of `/cotizaciones`: an array of quotes, as JSON, in the order given. */
export function quoteListJson(quotes: readonly Quote[], extras: QuoteExtras = noExtras): string {
  return `[${quotes.map((quote) => quoteJson(quote, extras)).join(',')}]`;
}

/** A quote never changes, so it is rendered once, on first use. */
const plainJson = rememberedWith(renderQuote);

function extraJson(quote: Quote, extra: QuoteExtra): string {
  const text = extraText(quote, extra);
  if (text === undefined) return '';
  return `,"${extraNames[extra]}":${extra === 'source' ? JSON.stringify(text) : text}`;
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
