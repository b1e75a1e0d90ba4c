import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { SetSeal, type SealedSet } from './set-seal.ts';

/** The values of a row, in the order of the columns. */
type Row = readonly (string | number | null)[];

/**
 * Writes a small table together with its seal, so that no writer can change one without the other. The caller
 * has a transaction.
 */
export class SealedTable<R extends Row> {
  readonly #table: string;
  readonly #database: DatabaseSync;
  readonly #hashOf: (row: R) => number;
  readonly #put: StatementSync;
  readonly #all: string;
  readonly #seal: SetSeal;

  constructor(
    database: DatabaseSync,
    path: string,
    {
      table,
      columns,
      subject,
      hashOf,
      onConflict = '',
    }: {
      readonly table: string;
      readonly columns: readonly string[];
      readonly subject: SealedSet;
      readonly hashOf: (row: R) => number;
      /** What is done with a row that has the key of a stored one. By default that is a fault. */
      readonly onConflict?: string;
    },
  ) {
    this.#table = table;
    this.#database = database;
    this.#hashOf = hashOf;
    const [names, marks] = [columns.join(', '), columns.map(() => '?').join(', ')];
    this.#put = database.prepare(`INSERT INTO ${table} (${names}) VALUES (${marks}) ${onConflict}`);
    this.#all = `SELECT ${names} FROM ${table}`;
    this.#seal = new SetSeal(database, path, subject);
  }

  /** @param before the stored row that it replaces by its key. */
  put(row: R, before?: R): void {
    this.#put.run(...row);
    if (before !== undefined) this.unseal(before);
    this.#seal.add([this.#hashOf(row)]);
  }

  /** Takes a row out of the seal that the caller removes from the table. */
  unseal(row: R): void {
    this.#seal.remove([this.#hashOf(row)]);
  }

  /** Removes all rows. */
  clear(): void {
    const rows = this.#database.prepare(this.#all).all() as unknown as readonly R[];
    this.#seal.remove(rows.map(this.#hashOf));
    this.#database.exec(`DELETE FROM ${this.#table}`);
  }
}
