import type { Quote } from '../../domain/quotes/quote.ts';
import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { QuoteExtra, QuoteExtras } from '../../domain/quotes/quote-extra.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import { buenosAiresTime } from '../texts/buenos-aires-time.ts';
import { extraText, isTextExtra } from '../params/quote-extras.ts';
import type { InstantTexts } from '../texts/instant-texts.ts';
import { extraNames } from '../texts/quote-names.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { formatValue } from '../texts/number.ts';

/** A quote as JSON: the fields of contract 2.1, in its order, and then the extras that are known. */
export function quoteJson(
  quote: Quote,
  extras: QuoteExtras = noExtras,
  instants?: InstantTexts,
): string {
  const plain = plainJson(quote);
  if (extras === noExtras) return plain;
  const added = extras.map((extra) => extraJson(quote, extra, instants));
  return `${plain.slice(0, -1)}${added.join('')}}`;
}

/** The body of `/cotizaciones`: an array of quotes, as JSON, in the order given. */
export function quoteListJson(
  quotes: readonly Quote[],
  extras: QuoteExtras = noExtras,
  instants?: InstantTexts,
): string {
  return `[${quotes.map((quote) => quoteJson(quote, extras, instants)).join(',')}]`;
}

/** A quote never changes, so it is rendered once, on first use. */
const plainJson = rememberedWith(renderQuote);

function extraJson(quote: Quote, extra: QuoteExtra, instants: InstantTexts | undefined): string {
  const text = extraText(quote, extra, instants);
  if (text === undefined) return '';
  return `,"${extraNames[extra]}":${isTextExtra(extra) ? JSON.stringify(text) : text}`;
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
