import type { DatabaseSync } from 'node:sqlite';

import { StoreFault } from '../../contract/store-fault.ts';
import { absentStore } from '../file/database-file.ts';
import type { MigrationStep } from './migrations.ts';

/** "PIZA" in ASCII. It identifies a database of this program. */
const applicationId = 0x50_49_5a_41;

/**
 * Upgrades a database to the newest schema, in one transaction: either all steps run or none. The lock
 * is taken before the schema's version is read. When two programs start at once, one of them upgrades
 * the schema, and the other finds it up to date.
 *
 * A program of an older version cannot open the database afterwards. So only a service that has claimed
 * the data directory may call this function.
 *
 * @throws StoreFault `schema-newer` or `corrupt`. Nothing is changed then.
 */
export function migrate(
  database: DatabaseSync,
  path: string,
  steps: readonly MigrationStep[],
): void {
  runSteps(database, path, steps, () => checkSchema(database, path, steps.length));
}

/**
 * Creates the newest schema in an empty database. Does not change any other database.
 *
 * @throws StoreFault `schema-newer`, `schema-older` or `corrupt`. Nothing is changed then.
 */
export function createSchema(
  database: DatabaseSync,
  path: string,
  steps: readonly MigrationStep[],
): void {
  runSteps(database, path, steps, () => {
    const version = checkSchema(database, path, steps.length);
    if (version > 0) refuseOlder(version, path, steps.length);
    return version;
  });
}

/** Runs the steps that the schema lacks. Its version is read under the lock. */
function runSteps(
  database: DatabaseSync,
  path: string,
  steps: readonly MigrationStep[],
  readVersion: () => number,
): void {
  database.exec('BEGIN EXCLUSIVE');
  try {
    const version = readVersion();
    for (const step of steps.slice(version)) {
      if (typeof step === 'string') database.exec(step);
      else step(database, path);
    }
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
 * The version of a database's schema; 0 for an empty database.
 *
 * @throws StoreFault `schema-newer` when the program is too old for the schema, `corrupt` when another
 *   program created the database.
 */
export function checkSchema(database: DatabaseSync, path: string, newest: number): number {
  const [id = 0, version = 0, tables] = readIdentity(database);
  const isEmpty = tables === 0;
  if (id !== applicationId && !(isEmpty && id === 0 && version === 0)) {
    throw new StoreFault('corrupt', `${path} is a database of another program, not of Pizarra`);
  }
  if (version > newest) {
    throw new StoreFault(
      'schema-newer',
      `${path} was written by a newer version of Pizarra: it has schema ${version}, and this version ` +
        `supports schema ${newest}. Run the newer version, or choose another data directory`,
    );
  }
  return version;
}

/**
 * Refuses every schema other than the newest.
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
    `${path} has schema ${version} of an older version of Pizarra, and this version needs schema ` +
      `${newest}. Make a backup, then start "pizarra serve" of this version, which upgrades the ` +
      'schema. Until then, use the older version',
  );
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
