import { statSync } from 'node:fs';
import { join } from 'node:path';

import { checkWhole, countRows } from './check-database.ts';
import type { RowCounts } from './check-database.ts';
import { requireMarked } from './commit-mark.ts';
import { openReader } from './connection.ts';
import { requireDatabaseFile } from './database-file.ts';
import { checkSchema } from './migrate.ts';
import { migrations } from './migrations.ts';
import { toStoreFault, trustingStatements } from './sqlite-fault.ts';
import { databaseFileName } from './sqlite-store.ts';

/** What there is to know of a database that is whole. */
export interface StoreInspection {
  readonly path: string;
  readonly bytes: number;
  /** Of the log that has not been folded into the file yet. */
  readonly logBytes: number;
  /** The schema's number, and the one that this program brings it to. */
  readonly schema: number;
  readonly newestSchema: number;
  readonly rows: RowCounts;
}

/**
 * Reads the whole database of a data directory and checks it, and changes nothing in it. A service
 * may be running.
 *
 * @throws StoreFault `corrupt`, `schema-newer`, `unavailable`, or `absent` when there is none.
 */
export function inspectSqliteStore(directory: string): StoreInspection {
  const path = join(directory, databaseFileName);
  try {
    requireDatabaseFile(path);
    using database = openReader(path);
    return trustingStatements(path, () => {
      const schema = checkSchema(database, path, migrations.length);
      requireMarked(database, path);
      checkWhole(database, path);
      return {
        path,
        bytes: statSync(path).size,
        logBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
        schema,
        newestSchema: migrations.length,
        rows: countRows(database),
      };
    });
  } catch (error) {
    throw toStoreFault(error, path);
  }
}
