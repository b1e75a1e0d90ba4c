import type { DatabaseSync } from 'node:sqlite';

import { StoreFault } from '../store-fault.ts';
import { absentStore } from './database-file.ts';

/** "PIZA" in ASCII: what tells a database of this program from any other. */
const applicationId = 0x50_49_5a_41;

/**
 * Brings a database to the newest schema, in one transaction: all steps or none. The lock is taken
 * before the schema's number is read, so of two programs that start at once one does the work and
 * the other finds it done.
 *
 * A running program of the older schema could not start again afterwards. So only a service that has
 * claimed the data directory may call this.
 *
 * @throws StoreFault `schema-newer` or `corrupt`, having changed nothing.
 */
export function migrate(database: DatabaseSync, path: string, steps: readonly string[]): void {
  runSteps(database, steps, () => checkSchema(database, path, steps.length));
}

/**
 * Gives an empty database the newest schema, and leaves any other as it is.
 *
 * @throws StoreFault `schema-newer`, `schema-older` or `corrupt`, having changed nothing.
 */
export function createSchema(database: DatabaseSync, path: string, steps: readonly string[]): void {
  runSteps(database, steps, () => {
    const version = checkSchema(database, path, steps.length);
    if (version > 0) refuseOlder(version, path, steps.length);
    return version;
  });
}

/** Runs the steps after the schema's number, which is read under the lock. */
function runSteps(
  database: DatabaseSync,
  steps: readonly string[],
  readVersion: () => number,
): void {
  database.exec('BEGIN EXCLUSIVE');
  try {
    const version = readVersion();
    for (const step of steps.slice(version)) database.exec(step);
    if (version < steps.length) {
      database.exec(`PRAGMA application_id = ${applicationId}`);
      database.exec(`PRAGMA user_version = ${steps.length}`);
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * The number of a database's schema; 0 for an empty one.
 *
 * @throws StoreFault `schema-newer` when this program is too old for it, `corrupt` when another
 *   program made it.
 */
export function checkSchema(database: DatabaseSync, path: string, newest: number): number {
  const id = numberOf(database, 'PRAGMA application_id');
  const version = numberOf(database, 'PRAGMA user_version');
  const isEmpty = numberOf(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (id !== applicationId && !(isEmpty && id === 0 && version === 0)) {
    throw new StoreFault('corrupt', `${path} is a database, but not one of Pizarra's`);
  }
  if (version > newest) {
    throw new StoreFault(
      'schema-newer',
      `${path} was written by a newer Pizarra (schema ${version}, and this program knows ` +
        `${newest}): run that version or a later one, or choose another data directory`,
    );
  }
  return version;
}

/**
 * Refuses every schema but this program's.
 *
 * @throws StoreFault as {@link checkSchema}; `schema-older`; `absent` when the database is empty.
 */
export function requireSchema(database: DatabaseSync, path: string, newest: number): void {
  const version = checkSchema(database, path, newest);
  if (version === 0) throw absentStore(path);
  refuseOlder(version, path, newest);
}

function refuseOlder(version: number, path: string, newest: number): void {
  if (version === newest) return;
  throw new StoreFault(
    'schema-older',
    `${path} has schema ${version} of an older Pizarra, and this version needs ${newest}. Make a ` +
      'backup and start "pizarra serve" of this version, which upgrades the schema; until then, ' +
      'use the older version',
  );
}

function numberOf(database: DatabaseSync, query: string): number {
  const [value] = Object.values(database.prepare(query).get() ?? {});
  return Number(value);
}
