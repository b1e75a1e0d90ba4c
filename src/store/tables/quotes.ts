import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { QuoteStore } from '../contract/quote-store.ts';
import { fromQuoteRow, type QuoteRow } from '../encoding/quote-row.ts';
import type { Reader } from '../sql/sql.ts';

/**
 * Reads the committed latest quotes.
 *
 * @param texts the queries of an engine for all quotes, and for those above the version `$1`, by version. They differ:
 *   SQLite has a seal in each row, and PostgreSQL finds what has changed in the notes of the commits.
 */
export function quoteReader(
  sql: Reader,
  texts: { readonly quotes: string; readonly newerQuotes: string },
): Pick<QuoteStore, 'readAll' | 'readNewer'> {
  const read = async (text: string, values: readonly number[]): Promise<readonly StoredQuote[]> => {
    const rows = await sql.all<QuoteRow>(text, values, (found, seals) =>
      seals.quotes(found, { areAll: text === texts.quotes }),
    );
    return rows.map((row) => fromQuoteRow(sql.where, row));
  };
  return {
    readAll: () => read(texts.quotes, []),
    readNewer: (version) => read(texts.newerQuotes, [version]),
  };
}
