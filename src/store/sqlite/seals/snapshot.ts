import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Runs statements that read on one state of the database: a commit of another process between two of them
 * is not seen. Within a transaction of the caller, they see that transaction.
 */
export class Snapshot {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN');
    this.#end = database.prepare('COMMIT');
  }

  run<T>(read: () => T): T {
    if (this.#database.isTransaction) return read();
    this.#begin.run();
    try {
      return read();
    } finally {
      // After some errors SQLite has ended the transaction.
      if (this.#database.isTransaction) this.#end.run();
    }
  }
}
