import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';

import { StoreFault } from '../store-fault.ts';
import { isBusy, toStoreFault, trustingStatements } from './sqlite-fault.ts';

/**
 * How often a held lock is tried again. The waiting is done here and not inside SQLite, where it
 * would hold up the whole event loop.
 */
const busyPollMs = 10;

/**
 * How long a reader may wait inside SQLite: only for the moment in which another process recovers
 * the log after a crash, or is the last to close it.
 */
const readerBusyTimeoutMs = 100;

/** A connection that reads, and cannot do otherwise. It never blocks a writer, nor a writer it. */
export function openReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, {
    readOnly: true,
    returnArrays: true,
    timeout: readerBusyTimeoutMs,
  });
  return configured(database, ['PRAGMA trusted_schema = OFF', 'PRAGMA cell_size_check = ON']);
}

/**
 * The connection that writes. `synchronous = FULL` syncs the log with every commit: with NORMAL a
 * power cut takes commits that were acknowledged.
 */
export function openWriter(path: string): DatabaseSync {
  const database = new DatabaseSync(path, {
    returnArrays: true,
    enableForeignKeyConstraints: true,
    timeout: 0,
  });
  return configured(database, [
    'PRAGMA trusted_schema = OFF',
    'PRAGMA cell_size_check = ON',
    'PRAGMA synchronous = FULL',
    // A large import swells the log; it shrinks to this again, in bytes.
    `PRAGMA journal_size_limit = ${64 * 1024 * 1024}`,
  ]);
}

/**
 * A connection for looking at a database before anything is written. One that reads cannot undo a
 * switch to the write-ahead log that was interrupted, which leaves a rollback journal; so one that
 * writes is opened then. Otherwise it is a reader: a writer folds the log into the file when it
 * closes, and a log that is damaged is to stay as it is.
 */
export function openInspector(path: string): DatabaseSync {
  return existsSync(`${path}-journal`) ? openWriter(path) : openReader(path);
}

/**
 * Turns the write-ahead log on, in which readers and one writer do not hold each other up.
 *
 * @throws StoreFault `unavailable` where the file system has no shared memory for it.
 */
export function useWriteAheadLog(database: DatabaseSync, path: string): void {
  const [mode] = Object.values(database.prepare('PRAGMA journal_mode = WAL').get() ?? {});
  if (mode !== 'wal') {
    throw new StoreFault('unavailable', `cannot use ${path}: its file system has no locks for WAL`);
  }
}

/**
 * Runs something that needs a lock, as soon as no other process holds it.
 *
 * @throws StoreFault `busy` when other processes hold it for longer than `waitMs`.
 */
export async function whenFree<T>(path: string, waitMs: number, run: () => T): Promise<T> {
  const deadline = AbortSignal.timeout(waitMs);
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!isBusy(error) || deadline.aborted) throw toStoreFault(error, path);
    }
    await delay(busyPollMs);
  }
}

/**
 * Opens a connection as soon as no other process holds the lock that its preparation needs. When
 * the preparation fails, the connection is closed again.
 *
 * @throws StoreFault as {@link whenFree}, and what the preparation throws.
 */
export function openWhenFree(
  path: string,
  waitMs: number,
  connect: (path: string) => DatabaseSync,
  prepare: (database: DatabaseSync) => void,
): Promise<DatabaseSync> {
  return whenFree(path, waitMs, () =>
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

function configured(database: DatabaseSync, pragmas: readonly string[]): DatabaseSync {
  try {
    for (const pragma of pragmas) database.exec(pragma);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
