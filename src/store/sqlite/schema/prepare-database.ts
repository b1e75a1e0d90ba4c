import { openInspector, openWhenFree, openWriter, useWriteAheadLog } from '../file/connection.ts';
import { requireMarked } from '../file/commit-mark.ts';
import { createDatabaseFile } from '../file/database-file.ts';
import { checkSchema, createSchema, migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { withFaults } from '../file/sqlite-fault.ts';

/**
 * Creates a database when none exists. With `mayUpgrade`, which requires a claim on the directory, an
 * older schema is upgraded. Without it, an older schema is not changed.
 *
 * @throws StoreFault `unavailable`, `corrupt`, `schema-newer` or `busy`.
 */
export async function prepareDatabase(
  path: string,
  { busyWaitMs, mayUpgrade }: { readonly busyWaitMs: number; readonly mayUpgrade: boolean },
): Promise<void> {
  withFaults(path, () => createDatabaseFile(path));
  let version = 0;
  const inspector = await openWhenFree(path, busyWaitMs, openInspector, (database) => {
    requireMarked(database, path);
    version = checkSchema(database, path, migrations.length);
  });
  inspector.close();
  const isOlder = version > 0 && version < migrations.length;
  if (version > 0 && !(isOlder && mayUpgrade)) return;
  const prepareSchema = mayUpgrade ? migrate : createSchema;
  const writer = await openWhenFree(path, busyWaitMs, openWriter, (database) => {
    useWriteAheadLog(database, path);
    prepareSchema(database, path, migrations);
  });
  writer.close();
}
