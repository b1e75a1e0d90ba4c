import type { DatabaseSync } from 'node:sqlite';

import { createSharedTables } from '../../tables/shared-tables.ts';
import { createDeclaredTables, declaredTables } from '../../tables/tables.ts';
import { firstChangeId } from '../../tables/closes.ts';
import { sealOfChange } from '../seals/row-hash.ts';

/** "PIZA" in ASCII. It identifies a database of this program. */
export const applicationId = 0x50_49_5a_41;

/** The version of the schema. A change of a table, or of what its rows mean, raises it. */
export const schemaVersion = 13;

const dialect = {
  types: { text: 'TEXT', integer: 'INTEGER', big: 'INTEGER', real: 'REAL', bytes: 'BLOB' },
  id: 'INTEGER NOT NULL',
  position: 'INTEGER NOT NULL',
  seal: ', seal INTEGER NOT NULL',
  references: (table: string) => `REFERENCES ${table} (id)`,
  withCloses: '',
  options: { numbered: 'STRICT', keyed: 'STRICT, WITHOUT ROWID' },
  storage: {},
};

/**
 * The tables of an installation: those that both engines have (`store/tables/`), and the seals.
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
 */
const tables = `
${createSharedTables(dialect)}
  -- Of the transactions of any process that changed something.
  INSERT INTO revisions (subject, value) VALUES ('commits', 0);

  CREATE INDEX instruments_by_closes_revision ON instruments (closes_revision, ticker);

${createDeclaredTables(dialect)}

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
