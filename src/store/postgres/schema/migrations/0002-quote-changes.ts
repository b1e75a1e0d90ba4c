import { grantToReaders } from './grant-to-readers.ts';

/**
 * What changed, for readers that follow the quotes. A pull that reads the table of quotes costs as much as the
 * universe is large, however little has changed.
 *
 * - Each commit of quotes adds a row: its highest version, and the tickers whose version it raised. Rows are
 *   added in the order of their versions, and removed from the lowest on. So a reader that finds a row with its
 *   own version, or a lower one, finds every later change too. Any other reader reads the table of quotes.
 * - The first row says that everything stored before is in the table of quotes.
 * - An index on the version of `quotes` would do the same, but every commit would then write each changed row
 *   to a new page and to both indexes (docs/decisions/0014).
 * - A user that may read the quotes may read the changes: a node that only serves has a user of its own, whose
 *   rights were granted before this table existed.
 */
export const quoteChanges = `
  CREATE TABLE quote_changes (
    version bigint PRIMARY KEY,
    tickers text[] COLLATE "C" NOT NULL
  );

  INSERT INTO quote_changes (version, tickers)
  SELECT max(version), '{}' FROM quotes HAVING count(*) > 0;

  ${grantToReaders('quote_changes')}
`;
