import { statSync } from 'node:fs';
import { join } from 'node:path';

import type { StoreInspection } from '../../contract/place-report.ts';
import { checkWhole, countRows } from './check-database.ts';
import { requireFinished } from '../file/copy-mark.ts';
import { requireMarked } from '../file/commit-mark.ts';
import { openReader } from '../file/connection.ts';
import { databaseFileName, requireDatabaseFile } from '../file/database-file.ts';
import { hasSchema } from '../schema/prepare-database.ts';
import { schemaVersion } from '../schema/schema.ts';
import { toStoreFault, trustingStatements } from '../file/sqlite-fault.ts';

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
