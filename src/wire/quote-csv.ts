import type { Quote } from '../domain/quote.ts';
import { buenosAiresTime } from './buenos-aires-time.ts';
import { csvLine } from './csv-text.ts';
import { formatExactNumber, formatValue } from './number.ts';

/** The fields of a quote in the contract's order (specification 2.1). */
const header = csvLine([
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
]);

/** As the JSON of a quote: made when it is first asked for, kept as long as the quote. */
const rendered = new WeakMap<Quote, string>();

/**
 * The body of `/cotizaciones` as CSV: a line of field names, and one for each quote, with the very
 * texts that the JSON has.
 */
export function quoteListCsv(quotes: readonly Quote[]): string {
  return header + quotes.map(quoteLine).join('');
}

function quoteLine(quote: Quote): string {
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
