import type { DatabaseSync } from 'node:sqlite';

import { sealOfChange } from '../../seals/set-hash.ts';

/**
 * The memory of changes ([decision 17](docs/decisions/0017-memory-of-changes.md)).
 *
 * - `changes`: the instant and the origin of each transaction that changed a close, with the hash of the row. The
 *   first row is this step. What was stored before it counts as stored by it.
 * - `closes.change_id`: the change that stored the close. Null for the first row of `changes`. Adding the column
 *   rewrites no row, but SQLite reads the whole table once: about 0.15 µs for each close.
 * - `replaced_closes`: the closes that others have replaced, in the order of `position` for each day.
 *   `close_seals.replaced` and `replaced_rows` seal them.
 * - `replaced_actions`: as `replaced_index_values`, for actions that were replaced or removed.
 *
 * Columns of the origin are null for what was stored before.
 */
export function changes(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE changes (
      id INTEGER NOT NULL PRIMARY KEY,
      at INTEGER NOT NULL,
      origin TEXT NOT NULL,
      seal INTEGER NOT NULL
    ) STRICT;

    ALTER TABLE closes ADD COLUMN change_id INTEGER;

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

    ALTER TABLE close_seals ADD COLUMN replaced_rows INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE close_seals ADD COLUMN replaced INTEGER NOT NULL DEFAULT 0;

    ALTER TABLE corporate_actions ADD COLUMN stored_at INTEGER;
    ALTER TABLE corporate_actions ADD COLUMN stored_by TEXT;

    CREATE TABLE replaced_actions (
      position INTEGER NOT NULL PRIMARY KEY,
      ticker TEXT NOT NULL,
      ex_day INTEGER NOT NULL,
      type TEXT NOT NULL,
      factor REAL,
      amount REAL,
      currency TEXT,
      new_ticker TEXT,
      source TEXT NOT NULL,
      stored_at INTEGER,
      stored_by TEXT,
      replaced_at INTEGER NOT NULL,
      replaced_by TEXT NOT NULL
    ) STRICT;

    INSERT INTO seals (subject, rows, hash) VALUES ('replaced actions', 0, 0);

    ALTER TABLE index_values ADD COLUMN stored_by TEXT;
    ALTER TABLE replaced_index_values ADD COLUMN stored_by TEXT;
    ALTER TABLE replaced_index_values ADD COLUMN replaced_by TEXT;
  `);
  const clock = database.prepare(`SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now`);
  const at = Number(Object.values(clock.get() ?? {})[0]);
  database
    .prepare(`INSERT INTO changes (id, at, origin, seal) VALUES (?, ?, 'unknown', ?)`)
    .run(firstChangeId, at, sealOfChange([firstChangeId, at, 'unknown']));
}

/** The row of `changes` that stands for everything stored before this step. */
const firstChangeId = 1;
