import type { DatabaseSync } from 'node:sqlite';

import { createDeclaredTables, declaredTables } from '../../tables/tables.ts';
import { sealOfChange } from '../seals/row-hash.ts';

/** "PIZA" in ASCII. It identifies a database of this program. */
export const applicationId = 0x50_49_5a_41;

/** The version of the schema. A change of a table, or of what its rows mean, raises it. */
export const schemaVersion = 12;

/**
 * The tables of an installation. Those of PostgreSQL correspond to them (`store/postgres/schema/schema.ts`).
 *
 * - `revisions` counts the committed changes of each subject. The subject `commits` counts every transaction of any
 *   process that changed something. `instruments.closes_revision` is the revision of the last change of an
 *   instrument's closes.
 * - A close refers to its instrument by a small integer, so a row is small, and a range of closes is a contiguous
 *   range of the primary key.
 * - No query searches within a quote, and all quotes are read when a service starts. So the state of a quote is one
 *   JSON text, and new fields need no other schema. `quotes.bar` is the bar under way, in the form of
 *   `quote-row.ts`: it is written with nearly every quote, and as JSON it takes several times as long.
 * - A bar is added to `minute_bars`, in order of time, so that the bars of all instruments that finish together are
 *   on a few adjacent pages. When a day is over, the bars of each instrument are packed into one row of
 *   `session_bars`, which takes a quarter of the space, and the day is removed from `minute_bars`
 *   ([decision 12](docs/decisions/0012-bars-of-minutes.md)). `minute` counts from the start of 1970 in UTC. A row of
 *   `minute_bars` is inserted with the id that is found in the same statement, so its foreign key need not be
 *   checked.
 * - The tables of actions, indices, terms and keys are declared in `store/tables/`.
 *
 * Seals are what is known of rows apart from the rows themselves, in another tree of pages. SQLite has no checksums of
 * its pages, so a damaged page may make a query return fewer rows, without an error. Every read compares its rows with
 * their seal ([decision 15](docs/decisions/0015-seals-of-rows.md)).
 *
 * - `close_seals`: for each block of days of an instrument, the number of its closes and sums of their hashes, and the
 *   same of the closes that others have replaced.
 * - `instrument_seals`: a second copy of what finds the closes of a ticker.
 * - `bar_seals`: as `close_seals`, for blocks of minutes, in the order of `minute_bars`.
 * - `seals`: for each small table, which is read as a whole, the number of its rows and the sum of their hashes.
 * - `quotes.seal`, `changes.seal`: the hash of the row.
 *
 * The memory of changes ([decision 17](docs/decisions/0017-memory-of-changes.md)):
 *
 * - `changes`: the instant and the origin of each transaction that changed a close. The first row is the creation of
 *   the store: nothing is known about the time before it.
 * - `closes.change_id`: the change that stored the close.
 * - `replaced_closes`: the closes that others have replaced, in the order of `position` for each day.
 * - The versioned tables have their own memory beside them.
 */
const tables = `
  CREATE TABLE revisions (
    subject TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  INSERT INTO revisions (subject, value) VALUES
    ('closes', 0), ('commits', 0);

  CREATE TABLE instruments (
    id INTEGER NOT NULL PRIMARY KEY,
    ticker TEXT NOT NULL UNIQUE,
    closes_revision INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE INDEX instruments_by_closes_revision ON instruments (closes_revision, ticker);

  CREATE TABLE sources (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE closes (
    instrument_id INTEGER NOT NULL REFERENCES instruments (id),
    day INTEGER NOT NULL,
    close REAL NOT NULL,
    volume REAL,
    open REAL,
    high REAL,
    low REAL,
    source_id INTEGER REFERENCES sources (id),
    change_id INTEGER,
    PRIMARY KEY (instrument_id, day)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE changes (
    id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    seal INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE replaced_closes (
    instrument_id INTEGER NOT NULL,
    day INTEGER NOT NULL,
    position INTEGER NOT NULL,
    close REAL NOT NULL,
    volume REAL,
    open REAL,
    high REAL,
    low REAL,
    source_id INTEGER,
    change_id INTEGER,
    replaced_by INTEGER NOT NULL,
    PRIMARY KEY (instrument_id, day, position)
  ) STRICT, WITHOUT ROWID;

${createDeclaredTables({
  types: { text: 'TEXT', integer: 'INTEGER', big: 'INTEGER', real: 'REAL' },
  position: 'INTEGER NOT NULL',
  options: { numbered: 'STRICT', keyed: 'STRICT, WITHOUT ROWID' },
})}

  CREATE TABLE quotes (
    ticker TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    state TEXT NOT NULL,
    bar BLOB,
    seal INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE minute_bars (
    day INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    instrument_id INTEGER NOT NULL,
    open REAL NOT NULL,
    high REAL NOT NULL,
    low REAL NOT NULL,
    last REAL NOT NULL,
    volume REAL,
    PRIMARY KEY (day, minute, instrument_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE session_bars (
    instrument_id INTEGER NOT NULL REFERENCES instruments (id),
    day INTEGER NOT NULL,
    bars BLOB NOT NULL,
    PRIMARY KEY (instrument_id, day)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE close_seals (
    instrument_id INTEGER NOT NULL,
    block INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    prices INTEGER NOT NULL,
    rest INTEGER NOT NULL,
    replaced_rows INTEGER NOT NULL DEFAULT 0,
    replaced INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (instrument_id, block)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE instrument_seals (
    ticker TEXT NOT NULL PRIMARY KEY,
    id INTEGER NOT NULL,
    closes_revision INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX instrument_seals_by_closes_revision ON instrument_seals (closes_revision, ticker);

  CREATE TABLE bar_seals (
    day INTEGER NOT NULL,
    block INTEGER NOT NULL,
    instrument_id INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    PRIMARY KEY (day, block, instrument_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE seals (
    subject TEXT NOT NULL PRIMARY KEY,
    rows INTEGER NOT NULL,
    hash INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  INSERT INTO seals (subject, rows, hash) VALUES ('quotes', 0, 0);
`;

/** The row of `changes` of the creation of the store. */
export const firstChangeId = 1;

/** Creates the tables in an empty database, within the transaction of the caller. */
export function createTables(database: DatabaseSync): void {
  database.exec(tables);
  const seal = database.prepare('INSERT INTO seals (subject, rows, hash) VALUES (?, 0, 0)');
  for (const { subject } of declaredTables) seal.run(subject);
  const clock = database.prepare(`SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now`);
  const at = Number(Object.values(clock.get() ?? {})[0]);
  database
    .prepare(`INSERT INTO changes (id, at, origin, seal) VALUES (?, ?, 'unknown', ?)`)
    .run(firstChangeId, at, sealOfChange([firstChangeId, at, 'unknown']));
  database.exec(`PRAGMA application_id = ${applicationId}`);
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
}
