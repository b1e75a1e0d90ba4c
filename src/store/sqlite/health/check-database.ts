import type { DatabaseSync } from 'node:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';

import { hasSchema, requireFinished } from '../schema/prepare-database.ts';
import { damaged } from '../../contract/store-fault.ts';
import { verifyRows } from './verify-rows.ts';
import type { StoreInspection } from '../../contract/place.ts';
import { requireMarked } from '../file/commit-mark.ts';
import { openReader } from '../file/connection.ts';
import { databaseFileName, requireDatabaseFile } from '../file/database-file.ts';
import { schemaVersion } from '../schema/schema.ts';
import { toStoreFault, trustingStatements } from '../file/sqlite-fault.ts';

/** The number of rows of each table of a database, by table name. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Counts the rows of every table of a database. Within a transaction, all counts are of one instant.
 */
export function countRows(database: DatabaseSync): RowCounts {
  const tables = valuesOf(
    database,
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  );
  return Object.fromEntries(
    tables.map((name) => {
      const quoted = String(name).replaceAll('"', '""');
      const [count] = valuesOf(database, `SELECT count(*) FROM "${quoted}"`);
      return [String(name), Number(count)];
    }),
  );
}

/**
 * Reads every page of a database and checks its schema, integrity and foreign keys, and compares every row
 * with its seal. Takes about a second for each 300 MB, and a second for each million closes.
 *
 * @throws StoreFault `corrupt` when the database is damaged, incomplete, or not one of Pizarra;
 *   `schema-newer` or `schema-older`.
 */
export function checkWhole(database: DatabaseSync, path: string): void {
  if (!hasSchema(database, path)) throw damaged(path, 'it is empty');
  const [verdict] = valuesOf(database, 'PRAGMA integrity_check(1)');
  if (verdict !== 'ok') throw damaged(path, String(verdict));
  if (valuesOf(database, 'PRAGMA foreign_key_check').length > 0) {
    throw damaged(path, 'it has closes of an instrument that does not exist');
  }
  verifyRows(database, path);
}

/** The first column of a query's result. Rows are arrays on every connection of the store. */
function valuesOf(database: DatabaseSync, query: string): readonly unknown[] {
  return database
    .prepare(query)
    .all()
    .map((row) => Object.values(row)[0]);
}

/**
 * Reads and checks the whole database of a data directory, without changing it. A service may be
 * running.
 *
 * @throws StoreFault `corrupt`, `schema-newer`, `schema-older`, `unavailable`, or `absent` when no database exists.
 */
export function inspectSqliteStore(directory: string): StoreInspection {
  const path = join(directory, databaseFileName);
  try {
    requireDatabaseFile(path);
    using database = openReader(path);
    return trustingStatements(path, () => {
      const isEmpty = !hasSchema(database, path);
      requireMarked(database, path);
      if (!isEmpty) requireFinished(database, path);
      checkWhole(database, path);
      return {
        bytes: statSync(path).size,
        logBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
        schema: schemaVersion,
        rows: countRows(database),
      };
    });
  } catch (error) {
    throw toStoreFault(error, path);
  }
}
