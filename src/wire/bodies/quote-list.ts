import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { QuoteExtras } from '../../domain/quotes/quote-extra.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { TableFormat } from '../params/table-format.ts';
import type { InstantTexts } from '../texts/instant-texts.ts';
import { quoteListJson } from './quote-body.ts';
import { quoteListCsv } from './quote-csv.ts';

/** A list of quotes in a format of a table, in the order given. */
export function quoteList(
  quotes: readonly Quote[],
  format: TableFormat,
  extras: QuoteExtras = noExtras,
  instants?: InstantTexts,
): string {
  return format === 'json'
    ? quoteListJson(quotes, extras, instants)
    : quoteListCsv(quotes, format, extras, instants);
}
