/**
 * The latest quote of each instrument. No query searches within a quote, and all quotes are read when a
 * service starts. So the state of a quote is one JSON text, and new fields need no migration.
 */
export const latestQuotes = `
  CREATE TABLE quotes (
    ticker TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
