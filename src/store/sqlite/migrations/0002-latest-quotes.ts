/**
 * The latest quote of each instrument. Nobody searches in what a quote holds: it is read whole when
 * a service starts, so it is kept as one JSON text that may grow with the engine.
 */
export const latestQuotes = `
  CREATE TABLE quotes (
    ticker TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
