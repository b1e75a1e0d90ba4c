import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import {
  copyMark,
  StoreFault,
  requireVersion,
  unfinishedFault,
} from '../../contract/store-fault.ts';
import { requireMarked } from '../file/commit-mark.ts';
import {
  busyWaitMsDefault,
  openInspector,
  openWhenFree,
  openWriter,
  useWriteAheadLog,
} from '../file/connection.ts';
import {
  absentStore,
  createDatabaseFile,
  databaseFileName,
  requireDatabaseFile,
} from '../file/database-file.ts';
import { withFaults } from '../file/sqlite-fault.ts';
import { applicationId, createTables, schemaVersion } from './schema.ts';

/**
 * Creates a database when none exists.
 *
 * @throws StoreFault `unavailable`, `corrupt`, `schema-newer`, `schema-older` or `busy`.
 */
export async function prepareDatabase(path: string, busyWaitMs: number): Promise<void> {
  withFaults(path, () => createDatabaseFile(path));
  let isEmpty = true;
  const inspector = await openWhenFree(path, busyWaitMs, openInspector, (database) => {
    requireMarked(database, path);
    isEmpty = !hasSchema(database, path);
  });
  inspector.close();
  if (!isEmpty) return;
  const writer = await openWhenFree(path, busyWaitMs, openWriter, (database) => {
    useWriteAheadLog(database, path);
    createSchema(database, path);
  });
  writer.close();
}

/**
 * Creates the schema in an empty database, in one transaction. Does not change any other database. The lock is taken
 * before the version of the schema is read: when two programs start at once, one of them creates the schema, and the
 * other finds it.
 *
 * @throws StoreFault as {@link hasSchema}. Nothing is changed then.
 */
export function createSchema(database: DatabaseSync, path: string): void {
  database.exec('BEGIN EXCLUSIVE');
  try {
    if (!hasSchema(database, path)) createTables(database);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Whether a database has the schema of this program. False for an empty database.
 *
 * @throws StoreFault `schema-newer` or `schema-older` for another version of the schema, `corrupt` when another
 *   program created the database.
 */
export function hasSchema(database: DatabaseSync, path: string): boolean {
  const [id = 0, version = 0, tables] = readIdentity(database);
  const isEmpty = tables === 0;
  if (id !== applicationId && !(isEmpty && id === 0 && version === 0)) {
    throw new StoreFault('corrupt', `${path} is a database of another program, not of Pizarra`);
  }
  const isInDirectory = version < schemaVersion && basename(path) === databaseFileName;
  const where = isInDirectory ? dirname(path) : path;
  if (version > 0) {
    requireVersion(where, { version, needed: schemaVersion, another: 'data directory' });
  }
  return version > 0;
}

/**
 * Refuses an empty database, too.
 *
 * @throws StoreFault as {@link hasSchema}; `absent` when the database is empty.
 */
export function requireSchema(database: DatabaseSync, path: string): void {
  if (!hasSchema(database, path)) throw absentStore(path);
}

/**
 * Opens a connection to a database that has all its commits and this program's schema.
 *
 * @throws StoreFault `absent`, `unavailable`, `corrupt`, `schema-newer`, `schema-older` or `busy`.
 */
export async function openCurrent(
  path: string,
  waitMs: number,
  connect: (path: string) => DatabaseSync,
): Promise<DatabaseSync> {
  withFaults(path, () => requireDatabaseFile(path));
  return openWhenFree(path, waitMs, connect, (database) => {
    requireMarked(database, path);
    requireSchema(database, path);
  });
}

/**
 * The id of the program, the version of the schema and the number of tables, in one statement: another
 * process may create the schema at the same time, and a mixture of before and after is neither.
 */
function readIdentity(database: DatabaseSync): readonly number[] {
  const query =
    'SELECT (SELECT application_id FROM pragma_application_id) AS id, ' +
    '(SELECT user_version FROM pragma_user_version) AS version, ' +
    '(SELECT count(*) FROM sqlite_schema) AS tables';
  return Object.values(database.prepare(query).get() ?? {}).map(Number);
}

/** Whether a database is the target of a copy that is not complete. */
export function isUnfinishedCopy(database: DatabaseSync): boolean {
  return database.prepare(copyMark.find).get() !== undefined;
}

/**
 * Refuses the target of a copy that is not complete.
 *
 * @throws StoreFault `unfinished`
 */
export function requireFinished(database: DatabaseSync, path: string): void {
  if (!isUnfinishedCopy(database)) return;
  throw unfinishedFault(dirname(path), `move or delete ${path}*`);
}

/** Marks a database as the target of a copy, or removes the mark. It is durable when the promise resolves. */
export async function markCopy(path: string, isUnfinished: boolean): Promise<void> {
  const change = isUnfinished ? copyMark.set : copyMark.remove;
  const database = await openWhenFree(path, busyWaitMsDefault, openWriter, (writer) => {
    writer.exec(change);
  });
  database.close();
}
