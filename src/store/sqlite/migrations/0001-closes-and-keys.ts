/**
 * Instruments go by small numbers, so that a close costs its few numbers and nothing else, and a
 * range of closes is one run of neighbouring rows of the primary key. `revisions` counts the
 * committed changes of each subject; rows that readers follow carry the revision of their last
 * change.
 */
export const closesAndKeys = `
  CREATE TABLE revisions (
    subject TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  INSERT INTO revisions (subject, value) VALUES ('closes', 0), ('keys', 0);

  CREATE TABLE instruments (
    id INTEGER NOT NULL PRIMARY KEY,
    ticker TEXT NOT NULL UNIQUE,
    closes_revision INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE INDEX instruments_by_closes_revision ON instruments (closes_revision, ticker);

  CREATE TABLE closes (
    instrument_id INTEGER NOT NULL REFERENCES instruments (id),
    day INTEGER NOT NULL,
    close REAL NOT NULL,
    volume REAL,
    open REAL,
    high REAL,
    low REAL,
    PRIMARY KEY (instrument_id, day)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE api_keys (
    position INTEGER NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    sha256 TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT;
`;
