import { systemClock } from '../../lib/clock.ts';
import { backUpSqliteStore, restoreSqliteStore } from '../../store/sqlite/guard/backup.ts';
import type { CopySummary } from '../../store/sqlite/guard/backup.ts';

export type { CopySummary };

/** Copies the database, as of one instant, into a new file. The database may be in use. */
export function backUp(dataDirectory: string, file: string): Promise<CopySummary> {
  return backUpSqliteStore({ directory: dataDirectory, file });
}

/** Restores a backup into a data directory without a database. */
export function restore(dataDirectory: string, file: string): Promise<CopySummary> {
  return restoreSqliteStore({ directory: dataDirectory, file, clock: systemClock });
}
