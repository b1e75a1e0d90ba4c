/**
 * The daily values of indices, such as CER, and those that others have replaced. The subject `indices`
 * counts the committed changes. Both tables are small and read as a whole, so each has one seal.
 */
export const indices = `
  CREATE TABLE index_values (
    name TEXT NOT NULL,
    day INTEGER NOT NULL,
    value REAL NOT NULL,
    source TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    PRIMARY KEY (name, day)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE replaced_index_values (
    position INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    day INTEGER NOT NULL,
    value REAL NOT NULL,
    source TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    replaced_at INTEGER NOT NULL
  ) STRICT;

  INSERT INTO revisions (subject, value) VALUES ('indices', 0);

  INSERT INTO seals (subject, rows, hash) VALUES ('indices', 0, 0), ('replaced indices', 0, 0);
`;
