import type { QuoteTexts } from '../../tables/quotes.ts';

const columns = 'quotes.ticker, quotes.version, quotes.state, quotes.bar';

/**
 * The queries of quotes. The table has one row for each instrument, and no index on the version. What has changed since
 * a version is read from the notes of the commits.
 */
export const quoteSql: QuoteTexts = {
  all: `SELECT ${columns} FROM quotes`,

  /**
   * Reads only the quotes that the notes of changes name, if the notes are complete: if there is one with this
   * version or a lower one. Otherwise it reads the whole table. Both are one snapshot.
   *
   * OFFSET 0 makes the server search each ticker in the index: it cannot know that there are few.
   */
  newer: `
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
};
