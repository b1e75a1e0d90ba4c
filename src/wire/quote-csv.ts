import type { Quote } from '../domain/quote.ts';
import { noExtras } from '../domain/quote-extra.ts';
import type { QuoteExtras } from '../domain/quote-extra.ts';
import { buenosAiresTime } from './buenos-aires-time.ts';
import { csvLine, lineEnd } from './csv-text.ts';
import { extraNames, extraText } from './quote-extras.ts';
import { formatExactNumber, formatValue } from './number.ts';

/** The fields of a quote in the order of contract 2.1. */
const columns = [
  'especie',
  'fecha',
  'hora',
  'ultimo',
  'variacion',
  'anterior',
  'apertura',
  'minimo',
  'maximo',
  'varMTD',
  'varYTD',
  'volumen',
] as const;

/** Rendered lines, cached as the JSON of a quote is. */
const rendered = new WeakMap<Quote, string>();

/**
 * The body of `/cotizaciones` as CSV (contract 4.5.3): a header row, and a line for each quote with
 * the same texts as in its JSON.
 */
export function quoteListCsv(quotes: readonly Quote[], extras: QuoteExtras = noExtras): string {
  const header = csvLine([...columns, ...extras.map((extra) => extraNames[extra])]);
  return header + quotes.map((quote) => quoteLine(quote, extras)).join('');
}

function quoteLine(quote: Quote, extras: QuoteExtras): string {
  const plain = plainLine(quote);
  if (extras === noExtras) return plain;
  const cells = csvLine(extras.map((extra) => extraText(quote, extra)));
  return `${plain.slice(0, -lineEnd.length)},${cells}`;
}

function plainLine(quote: Quote): string {
  const known = rendered.get(quote);
  if (known !== undefined) return known;
  const line = renderLine(quote);
  rendered.set(quote, line);
  return line;
}

function renderLine(quote: Quote): string {
  const { instrument } = quote;
  const price = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : formatValue(value, instrument);
  return csvLine([
    instrument.ticker,
    quote.sessionDate,
    quote.asOf === undefined ? undefined : buenosAiresTime(quote.asOf),
    price(quote.last),
    exact(quote.change === null ? null : quote.change.value),
    price(quote.previousClose),
    price(quote.open),
    price(quote.low),
    price(quote.high),
    exact(quote.monthToDatePct),
    exact(quote.yearToDatePct),
    exact(quote.volume),
  ]);
}

function exact(value: number | null): string | null {
  return value === null ? null : formatExactNumber(value);
}
