import { accessSync, constants } from 'node:fs';

import type { WriteSide } from '../../contract/store.ts';
import { BarTidying } from '../../tables/bars.ts';
import { tableWriters } from '../../tables/tables.ts';
import { openInspector, openWriter, openWhenFree, useWriteAheadLog } from '../file/connection.ts';
import { openCurrent } from '../schema/prepare-database.ts';
import { queries } from '../sql/queries.ts';
import { trustingStatements, withFaults } from '../file/sqlite-fault.ts';
import { sqliteHistoryWriter } from './sqlite-history-writer.ts';
import { SqliteQuoteWriter } from './sqlite-quote-writer.ts';
import { SqliteWriter } from './sqlite-writer.ts';

/** The path of a database, and the maximum time to wait for writers of other processes. */
export interface WriteSideOptions {
  readonly path: string;
  readonly busyWaitMs: number;
}

/**
 * The writing half of a store. Its connection is in this thread. Disposing it waits for the pending calls, then closes the
 * connection.
 */
export interface SqliteWriteSide extends Omit<WriteSide, 'quotes'>, AsyncDisposable {
  readonly quotes: Pick<SqliteQuoteWriter, 'commit'>;
}

/**
 * Opens the connection that writes, in this thread. The database must have this program's schema. SQLite
 * is synchronous, so every commit blocks the thread until it is on disk.
 *
 * The function also runs when a writing thread is replaced, while other connections of the process are
 * open. So it opens the file only through SQLite (`database-file.ts` explains why).
 *
 * @throws StoreFault `absent`, `unavailable`, `corrupt`, `schema-newer`, `schema-older` or `busy`.
 */
export async function openInlineWriteSide({
  path,
  busyWaitMs,
}: WriteSideOptions): Promise<SqliteWriteSide> {
  // Checked before anything is written.
  const inspector = await openCurrent(path, busyWaitMs, (file) => {
    accessSync(file, constants.R_OK | constants.W_OK);
    return openInspector(file);
  });
  inspector.close();
  using opened = new DisposableStack();
  const database = opened.use(
    await openWhenFree(path, busyWaitMs, openWriter, (writer) => {
      // A restored backup is in another journal mode.
      useWriteAheadLog(writer, path);
    }),
  );
  const side = withFaults(path, () =>
    trustingStatements(path, () => {
      const writer = new SqliteWriter(database, path, busyWaitMs);
      const history = sqliteHistoryWriter(writer);
      const tidying = new BarTidying(writer, queries.bars);
      return {
        history,
        ...tableWriters(writer),
        quotes: new SqliteQuoteWriter({ writer, history, tidying }),
        bars: tidying,
        [Symbol.asyncDispose]: () => writer.close(),
      };
    }),
  );
  // From here on, the writer owns the connection and closes it.
  opened.move();
  return side;
}
