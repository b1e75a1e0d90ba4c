/**
 * A close refers to its instrument by a small integer, so a row is small, and a range of closes is a
 * contiguous range of the primary key. `revisions` counts the committed changes of each subject.
 * `instruments.closes_revision` is the revision of the last change of an instrument's closes.
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
