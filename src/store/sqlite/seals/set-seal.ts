import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { damaged } from '../../contract/store-fault.ts';
import { addHash } from './row-hash.ts';

/** The seal of a table that is read as a whole: the number of its rows, and the sum of their hashes. */
export class SetSeal {
  readonly #subject: string;
  readonly #path: string;
  readonly #read: StatementSync;
  readonly #change: StatementSync;

  constructor(database: DatabaseSync, path: string, subject: string) {
    this.#subject = subject;
    this.#path = path;
    this.#read = database.prepare('SELECT rows, hash FROM seals WHERE subject = ?');
    this.#change = database.prepare(
      'UPDATE seals SET rows = rows + ?, hash = (hash + ?) & 4294967295 WHERE subject = ?',
    );
  }

  /** Adds rows to the seal, by their hashes, within the transaction that adds the rows. */
  add(hashes: readonly number[]): void {
    this.#change.run(hashes.length, sumOf(hashes), this.#subject);
  }

  /** Takes rows out of the seal. */
  remove(hashes: readonly number[]): void {
    this.#change.run(-hashes.length, -sumOf(hashes), this.#subject);
  }

  /**
   * Compares all rows of the table with the seal.
   *
   * @throws StoreFault `corrupt`
   */
  verify(hashes: readonly number[]): void {
    const [rows, hash] = (this.#read.get(this.#subject) ?? []) as readonly unknown[];
    if (rows === hashes.length && hash === sumOf(hashes)) return;
    throw damaged(
      this.#path,
      `the table of ${this.#subject} gives ${hashes.length} rows, which are not the ${String(rows)} that were stored`,
    );
  }
}

function sumOf(hashes: readonly number[]): number {
  return hashes.reduce(addHash, 0);
}

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
