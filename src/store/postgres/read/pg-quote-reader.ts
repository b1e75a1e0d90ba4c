import type { StoredQuote } from '../../../domain/stored-quote.ts';
import { fromQuoteRow } from '../../encoding/quote-row.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';
import type { QuoteStore } from '../../quote-store.ts';
import type { Link } from '../connection/link.ts';

/** Reads the committed latest quotes. The table has one row for each instrument, and no index on the version. */
export class PgQuoteReader implements Pick<QuoteStore, 'readAll' | 'readNewer'> {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  readAll(): Promise<readonly StoredQuote[]> {
    return this.readNewer(-1);
  }

  async readNewer(version: number): Promise<readonly StoredQuote[]> {
    const rows = await this.#link.query<QuoteRow>(
      {
        name: 'newer-quotes',
        text: 'SELECT ticker, version, state, bar FROM quotes WHERE version > $1 ORDER BY version',
      },
      [version],
    );
    return rows.map((row) => fromQuoteRow(this.#link.where, row));
  }
}
