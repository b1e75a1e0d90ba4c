import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { QuoteStore } from '../contract/quote-store.ts';
import { fromQuoteRow, type QuoteRow } from '../encoding/quote-row.ts';
import type { Reader } from '../sql/sql.ts';

/**
 * The queries of an engine for {@link quoteReader}: all quotes, and those above the version `$1` by version. They differ,
 * because SQLite has a seal in each row, and searches an index; in PostgreSQL, an index on the version would double the
 * cost of each commit.
 */
export interface QuoteTexts {
  readonly all: string;
  readonly newer: string;
}

/** Reads the committed latest quotes. */
export function quoteReader(
  sql: Reader,
  texts: QuoteTexts,
): Pick<QuoteStore, 'readAll' | 'readNewer'> {
  const read = async (
    what: keyof QuoteTexts,
    ...values: number[]
  ): Promise<readonly StoredQuote[]> => {
    const rows = await sql.all<QuoteRow>(texts[what], values, (found, seals) =>
      seals.quotes(found, { areAll: what === 'all' }),
    );
    return rows.map((row) => fromQuoteRow(sql.where, row));
  };
  return { readAll: () => read('all'), readNewer: (version) => read('newer', version) };
}
