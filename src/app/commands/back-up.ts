import { systemClock } from '../../lib/clock.ts';
import { backUpSqliteStore, restoreSqliteStore } from '../../store/sqlite/backup.ts';
import type { CopySummary } from '../../store/sqlite/backup.ts';

export type { CopySummary };

/** Copies the installation's database into a new file, as of one instant, while it is in use. */
export function backUp(dataDirectory: string, file: string): Promise<CopySummary> {
  return backUpSqliteStore({ directory: dataDirectory, file });
}

/** Makes the database of an installation that has none out of a backup. */
export function restore(dataDirectory: string, file: string): Promise<CopySummary> {
  return restoreSqliteStore({ directory: dataDirectory, file, clock: systemClock });
}
