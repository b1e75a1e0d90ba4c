import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { StoreFault } from '../../contract/store-fault.ts';
import type { Row } from '../../sql/sql.ts';
import { isBusy, toStoreFault, trustingStatements, withFaults } from './sqlite-fault.ts';

/**
 * Pause before a lock is tried again, in milliseconds. The program waits here and not inside SQLite,
 * because SQLite would block the event loop.
 */
const busyPollMs = 10;

/**
 * Maximum time that a reader waits inside SQLite, in milliseconds. It only waits while another process
 * recovers the log after a crash, or closes the last connection.
 */
const readerBusyTimeoutMs = 100;

/** Maximum time to wait for a writer of another process by default, in milliseconds. */
export const busyWaitMsDefault = 30_000;

/** Opens a read-only connection. Readers and writers do not block each other. */
export function openReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, {
    readOnly: true,
    returnArrays: true,
    timeout: readerBusyTimeoutMs,
  });
  return configured(database, ['PRAGMA trusted_schema = OFF', 'PRAGMA cell_size_check = ON']);
}

/**
 * Opens a connection that writes. `synchronous = FULL` syncs the log with every commit. With NORMAL, a
 * power failure would lose acknowledged commits.
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
    // A large import makes the log grow. Afterwards it is truncated to this size, in bytes.
    `PRAGMA journal_size_limit = ${64 * 1024 * 1024}`,
  ]);
}

/**
 * Opens a connection for checking a database before anything is written. It is read-only, because a
 * writer merges the log into the file when it closes, and a damaged log must not be changed. When a
 * rollback journal exists, switching to the write-ahead log was interrupted. Only a writer can roll that
 * back, so a writer is opened then.
 */
export function openInspector(path: string): DatabaseSync {
  return existsSync(`${path}-journal`) ? openWriter(path) : openReader(path);
}

/**
 * Turns on the write-ahead log, with which readers and one writer do not block each other.
 *
 * @throws StoreFault `unavailable` when the file system does not support shared memory for it.
 */
export function useWriteAheadLog(database: DatabaseSync, path: string): void {
  const [mode] = Object.values(database.prepare('PRAGMA journal_mode = WAL').get() ?? {});
  if (mode !== 'wal') {
    const reason = 'its file system does not support the write-ahead log; use a local disk';
    throw new StoreFault('unavailable', `cannot use ${path}: ${reason}`);
  }
}

/**
 * Runs a function that needs a lock, as soon as no other process holds the lock.
 *
 * @throws StoreFault `busy` when other processes hold it for longer than `waitMs`.
 */
export async function whenFree<T>(path: string, waitMs: number, run: () => T): Promise<T> {
  // The deadline is created only when a call has to wait. Every commit calls this function and few wait, and
  // each timer would exist for all of `waitMs`.
  let deadline: AbortSignal | undefined;
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!isBusy(error) || deadline?.aborted === true) throw toStoreFault(error, path);
      deadline ??= AbortSignal.timeout(waitMs);
    }
    await delay(busyPollMs);
  }
}

/**
 * Opens a connection as soon as no other process holds the lock that its preparation needs. When
 * the preparation fails, the connection is closed again.
 *
 * @throws StoreFault as {@link whenFree}, and any error of the preparation.
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

/** A connection and its statements, which are prepared when they are first used. */
export class SqliteConnection {
  readonly where: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<
    string,
    { readonly statement: StatementSync; readonly values: number }
  >();

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.where = path;
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a statement says which rows it has
  all<R extends Row>(text: string, values: Row = []): readonly R[] {
    return this.statement(text, values.length).all(...values) as unknown as readonly R[];
  }

  /** @param given the number of its values: SQLite would bind null to one that is missing. */
  statement(text: string, given: number): StatementSync {
    let known = this.#statements.get(text);
    if (known === undefined) {
      const marks = text.match(/\$\d+/g) ?? [];
      const statement = this.#database.prepare(text.replaceAll('$', '?'));
      known = { statement, values: new Set(marks).size };
      this.#statements.set(text, known);
    }
    if (known.values !== given) throw new Error(`${given} values for ${text}`);
    return known.statement;
  }

  run<T>(work: () => T): T {
    return withFaults(this.where, () => trustingStatements(this.where, work));
  }

  /**
   * Runs statements that read on one state of the database: a commit of another process between two of them
   * is not seen. Within a transaction of the caller, they see that transaction.
   */
  snapshot<T>(read: () => T): T {
    if (this.#database.isTransaction) return read();
    this.statement('BEGIN', 0).run();
    try {
      return read();
    } finally {
      // After some errors SQLite has ended the transaction.
      if (this.#database.isTransaction) this.statement('COMMIT', 0).run();
    }
  }
}
