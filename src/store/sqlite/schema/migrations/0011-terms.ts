/**
 * The terms of bonds as they were last loaded, and those that others have replaced
 * ([decision 17](docs/decisions/0017-memory-of-changes.md)). `terms` is a JSON object with a value for each term. The
 * subject `terms` counts the committed changes. Both tables are small and read as a whole, so each has one seal.
 */
export const terms = `
  CREATE TABLE bond_terms (
    ticker TEXT NOT NULL PRIMARY KEY,
    series TEXT NOT NULL,
    terms TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    stored_by TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE replaced_bond_terms (
    position INTEGER NOT NULL PRIMARY KEY,
    ticker TEXT NOT NULL,
    series TEXT NOT NULL,
    terms TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    stored_by TEXT NOT NULL,
    replaced_at INTEGER NOT NULL,
    replaced_by TEXT NOT NULL
  ) STRICT;

  INSERT INTO revisions (subject, value) VALUES ('terms', 0);

  INSERT INTO seals (subject, rows, hash) VALUES ('terms', 0, 0), ('replaced terms', 0, 0);
`;
