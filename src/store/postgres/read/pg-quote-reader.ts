import type { StoredQuote } from '../../../domain/quotes/stored-quote.ts';
import { fromQuoteRow, type QuoteRow } from '../../encoding/quote-row.ts';
import type { QuoteStore } from '../../contract/quote-store.ts';
import type { Link } from '../connection/link.ts';
import type { Statement } from '../session/session.ts';
import { quoteSql } from './quote-sql.ts';

/**
 * Reads the committed latest quotes. The table has one row for each instrument, and no index on the version. What
 * has changed since a version is read from the notes of the commits.
 */
export class PgQuoteReader implements Pick<QuoteStore, 'readAll' | 'readNewer'> {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  readAll(): Promise<readonly StoredQuote[]> {
    return this.#read(quoteSql.all, -1);
  }

  readNewer(version: number): Promise<readonly StoredQuote[]> {
    return this.#read(quoteSql.newer, version);
  }

  async #read(statement: Statement, version: number): Promise<readonly StoredQuote[]> {
    const rows = await this.#link.query<QuoteRow>(statement, [version]);
    return rows.map((row) => fromQuoteRow(this.#link.where, row));
  }
}
