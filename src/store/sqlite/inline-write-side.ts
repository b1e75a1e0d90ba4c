import { hasMark, requireMarked } from './commit-mark.ts';
import { openReader, openWriter, openWhenFree, useWriteAheadLog } from './connection.ts';
import { createDatabaseFile } from './database-file.ts';
import { checkSchema, migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { trustingStatements, withFaults } from './sqlite-fault.ts';
import { SqliteHistoryWriter } from './sqlite-history-writer.ts';
import { SqliteKeyWriter } from './sqlite-key-writer.ts';
import { SqliteQuoteWriter } from './sqlite-quote-writer.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import type { WriteSide } from './write-side.ts';

/** Where a database is, and how long to wait for writers of other processes. */
export interface WriteSideOptions {
  readonly path: string;
  readonly busyWaitMs: number;
}

/**
 * Opens the connection that writes, in this thread, making the file where it is missing and bringing
 * an older schema up to date. SQLite is synchronous: every commit holds the thread up until the disk
 * has it.
 *
 * @throws StoreFault `unavailable`, `corrupt`, `schema-newer` or `busy`.
 */
export async function openInlineWriteSide({
  path,
  busyWaitMs,
}: WriteSideOptions): Promise<WriteSide> {
  withFaults(path, () => createDatabaseFile(path));
  await requireWhole(path, busyWaitMs);
  using opened = new DisposableStack();
  const database = opened.use(
    await openWhenFree(path, busyWaitMs, openWriter, (writer) => {
      // A file that is not ours is refused before anything in it changes.
      const version = checkSchema(writer, path, migrations.length);
      useWriteAheadLog(writer, path);
      if (version < migrations.length) migrate(writer, path, migrations);
    }),
  );
  const side = withFaults(path, () =>
    trustingStatements(path, () => {
      const writer = new SqliteWriter(database, path, busyWaitMs);
      const history = new SqliteHistoryWriter(writer, path);
      return {
        history,
        keys: new SqliteKeyWriter(writer, path),
        quotes: new SqliteQuoteWriter(writer, history, path),
        [Symbol.asyncDispose]: () => writer.close(),
      };
    }),
  );
  // From here on the writer closes it.
  opened.move();
  return side;
}

/**
 * Looks whether commits are missing, through a connection that only reads: one that writes folds the
 * log into the file when it closes, and what is left of a log may be worth a look.
 */
async function requireWhole(path: string, busyWaitMs: number): Promise<void> {
  if (!hasMark(path)) return;
  const reader = await openWhenFree(path, busyWaitMs, openReader, (database) => {
    requireMarked(database, path);
  });
  reader.close();
}
