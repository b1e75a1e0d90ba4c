import type { StoredQuote } from '../../../domain/quotes/stored-quote.ts';
import type { QuoteStore } from '../../contract/quote-store.ts';
import { fromQuoteRow, type QuoteRow } from '../../encoding/quote-row.ts';
import type { Link } from '../connection/link.ts';
import type { Statement } from '../session/session.ts';

const columns = 'quotes.ticker, quotes.version, quotes.state, quotes.bar';

/** The statements of {@link PgQuoteReader}. `$1` is a version. The rows ascend by version. */
export const quoteSql = {
  /** Reads the whole table. */
  all: {
    name: 'all-newer-quotes',
    text: `SELECT ${columns} FROM quotes WHERE version > $1 ORDER BY version`,
  },

  /**
   * Reads only the quotes that the notes of changes name, if the notes are complete: if there is one with this
   * version or a lower one. Otherwise it reads the whole table. Both are one snapshot.
   *
   * OFFSET 0 makes the server search each ticker in the index: it cannot know that there are few.
   */
  newer: {
    name: 'newer-quotes',
    text: `
      WITH known AS MATERIALIZED (
        SELECT EXISTS (
          SELECT FROM (SELECT FROM quote_changes WHERE version <= $1 ORDER BY version DESC LIMIT 1) AS earlier
        ) AS is_complete
      ), changed AS MATERIALIZED (
        SELECT DISTINCT unnest(tickers) COLLATE "C" AS ticker FROM (
          SELECT tickers FROM quote_changes WHERE version > $1 ORDER BY version
        ) AS later
        WHERE (SELECT is_complete FROM known)
      )
      SELECT found.* FROM changed CROSS JOIN LATERAL (
        SELECT ${columns} FROM quotes WHERE quotes.ticker = changed.ticker OFFSET 0
      ) AS found
      WHERE found.version > $1
      UNION ALL
      SELECT ${columns} FROM quotes WHERE version > $1 AND NOT (SELECT is_complete FROM known)
      ORDER BY 2`,
  },
} as const satisfies Readonly<Record<string, Statement>>;

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
