import type { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import type { HistoryReader, HistoryTransaction, HistoryWriter } from '../history-store.ts';
import type { KeyStore } from '../key-store.ts';
import type { QuoteStore } from '../quote-store.ts';
import type { Store } from '../store.ts';
import { openReader, openWriter, useWriteAheadLog, whenFree } from './connection.ts';
import { createDatabaseFile, requireDatabaseFile } from './database-file.ts';
import { checkSchema, migrate, requireSchema } from './migrate.ts';
import { migrations } from './migrations.ts';
import { readOnlyFault, trustingStatements, withFaults } from './sqlite-fault.ts';
import { SqliteHistoryReader } from './sqlite-history-reader.ts';
import { SqliteHistoryWriter } from './sqlite-history-writer.ts';
import { SqliteKeyStore } from './sqlite-keys.ts';
import { SqliteQuoteStore } from './sqlite-quotes.ts';
import { SqliteWriter } from './sqlite-writer.ts';

/** The database's name in the data directory. */
export const databaseFileName = 'pizarra.db';

/** How long a writer waits for one of another process before it gives up, unless told otherwise. */
const busyWaitMsDefault = 30_000;

/**
 * Opens the store in a directory, making both where they are missing (for the owner alone) and
 * bringing an older schema up to date.
 *
 * It holds two connections to one file: one that reads and sees only what is committed, and one that
 * writes. Other processes may do the same at the same time; each sees what the others commit. With
 * `readOnly` there is no second connection, nothing is made or brought up to date, and every write
 * is refused as `unavailable`.
 *
 * @throws StoreFault `unavailable`, `corrupt`, `schema-newer` or `busy`.
 */
export async function openSqliteStore({
  directory,
  readOnly = false,
  busyWaitMs = busyWaitMsDefault,
}: {
  readonly directory: string;
  readonly readOnly?: boolean;
  readonly busyWaitMs?: number;
}): Promise<Store> {
  const path = join(directory, databaseFileName);
  using opened = new DisposableStack();
  const writer = readOnly ? undefined : opened.use(await openMigratedWriter(path, busyWaitMs));
  const reader = opened.use(await openCurrentReader(path, busyWaitMs));
  const queue = writer && new SqliteWriter(writer, path, busyWaitMs);
  const store = withFaults(path, () =>
    trustingStatements(path, () => new SqliteStore(path, reader, queue)),
  );
  // From here on the store closes them.
  opened.move();
  return store;
}

class SqliteStore implements Store {
  readonly history: HistoryReader & HistoryWriter;
  readonly keys: KeyStore;
  readonly quotes: QuoteStore;
  readonly #reader: DatabaseSync;
  readonly #writer: SqliteWriter | undefined;

  constructor(path: string, reader: DatabaseSync, writer?: SqliteWriter) {
    this.#reader = reader;
    this.#writer = writer;
    const history = writer === undefined ? undefined : new SqliteHistoryWriter(writer, path);
    this.history = new SqliteHistory(path, reader, history);
    this.keys = new SqliteKeyStore(path, reader, writer);
    this.quotes = new SqliteQuoteStore(path, reader, writer, history);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#reader.isOpen) return;
    // The writer goes last: the last to close folds the log into the file, and a reader may not.
    this.#reader.close();
    await this.#writer?.close();
  }
}

/** Reads through one connection and writes through the other, where there is one. */
class SqliteHistory extends SqliteHistoryReader implements HistoryWriter {
  readonly #path: string;
  readonly #writer: HistoryWriter | undefined;

  constructor(path: string, reader: DatabaseSync, writer?: HistoryWriter) {
    super(path, reader);
    this.#path = path;
    this.#writer = writer;
  }

  async transaction<T>(work: (transaction: HistoryTransaction) => Promise<T>): Promise<T> {
    if (this.#writer === undefined) throw readOnlyFault(this.#path);
    return this.#writer.transaction(work);
  }
}

async function openMigratedWriter(path: string, busyWaitMs: number): Promise<DatabaseSync> {
  withFaults(path, () => createDatabaseFile(path));
  return open(path, busyWaitMs, openWriter, (database) => {
    // A file that is not ours is refused before anything in it changes.
    const version = checkSchema(database, path, migrations.length);
    useWriteAheadLog(database, path);
    if (version < migrations.length) migrate(database, path, migrations);
  });
}

async function openCurrentReader(path: string, busyWaitMs: number): Promise<DatabaseSync> {
  withFaults(path, () => requireDatabaseFile(path));
  return open(path, busyWaitMs, openReader, (database) => {
    requireSchema(database, path, migrations.length);
  });
}

function open(
  path: string,
  busyWaitMs: number,
  connect: (path: string) => DatabaseSync,
  prepare: (database: DatabaseSync) => void,
): Promise<DatabaseSync> {
  return whenFree(path, busyWaitMs, () =>
    trustingStatements(path, () => {
      const database = connect(path);
      try {
        prepare(database);
        return database;
      } catch (error) {
        database.close();
        throw error;
      }
    }),
  );
}
