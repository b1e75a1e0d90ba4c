import type { DatabaseSync } from 'node:sqlite';

import { StoreFault } from '../store-fault.ts';

/** "PIZA" in ASCII: what tells a database of this program from any other. */
const applicationId = 0x50_49_5a_41;

/**
 * Brings a database to the newest schema, in one transaction: all steps or none. The lock is taken
 * before the schema's number is read, so of two programs that start at once one does the work and
 * the other finds it done.
 *
 * @throws StoreFault `schema-newer` or `corrupt`, having changed nothing.
 */
export function migrate(database: DatabaseSync, path: string, steps: readonly string[]): void {
  database.exec('BEGIN EXCLUSIVE');
  try {
    const version = checkSchema(database, path, steps.length);
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
 * The same for whoever may not bring a database up to date.
 *
 * @throws StoreFault also `unavailable`, when the schema is older than this program's.
 */
export function requireSchema(database: DatabaseSync, path: string, newest: number): void {
  const version = checkSchema(database, path, newest);
  if (version === newest) return;
  throw new StoreFault(
    'unavailable',
    `${path} has the schema of an older Pizarra (${version}, and this program needs ${newest}): ` +
      'open it once for writing, which brings it up to date',
  );
}

function numberOf(database: DatabaseSync, query: string): number {
  const [value] = Object.values(database.prepare(query).get() ?? {});
  return Number(value);
}
