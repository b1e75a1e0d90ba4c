import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { statSync } from 'node:fs';

import { StoreFault } from '../../contract/store-fault.ts';
import { CommitMark } from '../file/commit-mark.ts';
import { whenFree, SqliteConnection } from '../file/connection.ts';
import type { HousekeepingStep, Writer } from '../../sql/sql.ts';
import { SqliteTransaction } from '../sql/sqlite-driver.ts';
import { withFaults } from '../file/sqlite-fault.ts';

/** Maximum number of queued transactions. Further transactions are refused with the fault `busy`. */
const waitingTransactionsMax = 1000;

/**
 * The only connection of this process that writes. Its transactions run one after another and do not
 * overlap.
 */
export class SqliteWriter implements Writer {
  readonly where: string;
  readonly #database: DatabaseSync;
  readonly #busyWaitMs: number;
  /** The statements of the open transaction. */
  readonly sql: SqliteTransaction;
  readonly #mark: CommitMark;
  readonly #files: OpenFiles;
  // Prepared, because SQLite would parse them anew for each transaction.
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #closed = false;

  constructor(database: DatabaseSync, path: string, busyWaitMs: number) {
    this.#database = database;
    this.where = path;
    this.sql = new SqliteTransaction(new SqliteConnection(database, path));
    this.#busyWaitMs = busyWaitMs;
    this.#mark = new CommitMark(path, database);
    this.#files = new OpenFiles(path);
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
  }

  async batch(...args: Parameters<Writer['batch']>): Promise<void> {
    await this.transaction((sql) => sql.batch(...args));
  }

  step<T>(work: (sql: HousekeepingStep) => Promise<T>): Promise<T> {
    return this.transaction(() => work(this.sql));
  }

  /** Runs `work` as one transaction after the queued ones. When `work` throws, it is rolled back. */
  transaction<T>(work: (sql: SqliteTransaction) => T | Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the store is closed');
    if (this.#waiting >= waitingTransactionsMax) {
      const message = `${this.where} has ${waitingTransactionsMax} queued transactions, the maximum`;
      return Promise.reject(new StoreFault('busy', message));
    }
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#run(work)).finally(() => (this.#waiting -= 1));
    this.#last = turn.then(nothing, nothing);
    return turn;
  }

  /** Waits for the queued transactions, then closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
    this.#database.close();
    this.#mark[Symbol.dispose]();
  }

  async #run<T>(work: (sql: SqliteTransaction) => T | Promise<T>): Promise<T> {
    await whenFree(this.where, this.#busyWaitMs, () => this.#begin.run());
    try {
      this.#files.verify();
      this.#mark.begin();
      const result = await work(this.sql);
      withFaults(this.where, () => {
        this.#mark.count();
        this.#commit.run();
      });
      this.#mark.committed();
      this.#files.verify();
      return result;
    } catch (error) {
      // After some errors (a full disk) SQLite has already rolled back.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function nothing(): void {}

/**
 * The files of a database while a connection has them open. SQLite does not notice that one of them is deleted or
 * replaced: it writes on into a file that nobody finds any more, so what it has stored is lost with the process.
 */
class OpenFiles {
  readonly #files: Map<string, number | undefined>;

  /** @param path of a database in WAL mode. The file beside it may not exist yet. */
  constructor(path: string) {
    this.#files = new Map([path, `${path}-wal`].map((file) => [file, inodeOf(file)]));
  }

  /** @throws StoreFault `unavailable` when a file is not the one that is open. */
  verify(): void {
    for (const [file, known] of this.#files) {
      const found = inodeOf(file);
      if (known === undefined) this.#files.set(file, found);
      else if (found !== known) {
        const what = found === undefined ? 'was deleted' : 'was replaced by another file';
        throw new StoreFault(
          'unavailable',
          `${file} ${what} while it is in use, so nothing more can be stored. Restart the service: it continues from what the files have.`,
        );
      }
    }
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}
