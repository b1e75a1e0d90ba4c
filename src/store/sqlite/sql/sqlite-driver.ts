import type { DatabaseSync, StatementSync } from 'node:sqlite';

import {
  readRevision,
  type Columns,
  type Reader,
  type Row,
  type Transaction,
  type VerifySeal,
} from '../../sql/sql.ts';
import { trustingStatements, withFaults } from '../file/sqlite-fault.ts';
import { hashRow } from '../seals/row-hash.ts';
import { SetSeal, Snapshot } from '../seals/set-seal.ts';

/** Maximum number of rows of one query: 2 to 4 ms. */
const rowsPerTurn = 4_000;

/** A connection and its statements, which are prepared when they are first used. */
class Connection {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<
    string,
    { readonly statement: StatementSync; readonly values: number }
  >();
  readonly #seals = new Map<string, SetSeal>();

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.path = path;
  }

  all(text: string, values: Row): readonly unknown[] {
    return this.statement(text, values.length).all(...values);
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

  seal(subject: string): SetSeal {
    let seal = this.#seals.get(subject);
    if (seal === undefined) {
      seal = new SetSeal(this.#database, this.path, subject);
      this.#seals.set(subject, seal);
    }
    return seal;
  }

  run<T>(work: () => T): T {
    return withFaults(this.path, () => trustingStatements(this.path, work));
  }
}

/** Reads through the connection of a store that reads. Each query and its check are one snapshot. */
export class SqliteReader implements Reader {
  readonly where: string;
  readonly rowsPerTurn = rowsPerTurn;
  readonly #connection: Connection;
  readonly #snapshot: Snapshot;
  readonly #verify: VerifySeal = (subject, rows) =>
    this.#connection.seal(subject).verify(rows.map(hashRow));

  constructor(database: DatabaseSync, path: string) {
    this.where = path;
    this.#connection = new Connection(database, path);
    this.#snapshot = new Snapshot(database);
  }

  async all<R extends Row>(
    text: string,
    values: Row = [],
    check?: (rows: readonly R[], verify: VerifySeal) => void,
  ): Promise<readonly R[]> {
    return this.#connection.run(() => {
      const read = (): readonly R[] => this.#connection.all(text, values) as readonly R[];
      if (check === undefined) return read();
      return this.#snapshot.run(() => {
        const rows = read();
        check(rows, this.#verify);
        return rows;
      });
    });
  }

  async revision(subject: string): Promise<number> {
    return readRevision(this, subject);
  }
}

/** The statements of the transaction that is open. A writer has one at a time, which locks the database. */
export class SqliteTransaction implements Transaction {
  readonly #connection: Connection;

  constructor(database: DatabaseSync, path: string) {
    this.#connection = new Connection(database, path);
  }

  async all<R extends Row>(text: string, values: Row = []): Promise<readonly R[]> {
    return this.#connection.run(() => this.#connection.all(text, values) as readonly R[]);
  }

  /** Calling a prepared statement for each row is faster than any statement over many rows. */
  async batch<R extends Row>(
    columns: Columns,
    rows: readonly Row[],
    text: (given: string) => string,
  ): Promise<readonly R[]> {
    const names = [...Object.keys(columns), 'place'].map((name, at) => `$${at + 1} AS ${name}`);
    return this.#connection.run(() => {
      const statement = this.#connection.statement(
        text(`(SELECT ${names.join(', ')}) AS given`),
        names.length,
      );
      const found: R[] = [];
      for (const [place, row] of rows.entries()) {
        for (const one of statement.all(...row, place)) found.push(one as unknown as R);
      }
      return found;
    });
  }

  async insert(table: string, columns: Columns, rows: readonly Row[], tail = ''): Promise<void> {
    const names = Object.keys(columns);
    const marks = names.map((_, at) => `$${at + 1}`);
    this.#connection.run(() => {
      const statement = this.#connection.statement(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks.join(', ')}) ${tail}`,
        names.length,
      );
      for (const row of rows) statement.run(...row);
    });
  }

  async lock(): Promise<void> {
    // BEGIN IMMEDIATE has locked the database.
  }

  async seal(
    subject: string,
    { added = [], removed = [] }: Parameters<Transaction['seal']>[1],
  ): Promise<void> {
    this.#connection.run(() => {
      const seal = this.#connection.seal(subject);
      if (removed.length > 0) seal.remove(removed.map(hashRow));
      if (added.length > 0) seal.add(added.map(hashRow));
    });
  }

  /** Other processes read the revision several times a second. */
  async raise(subject: string): Promise<void> {
    await this.all('UPDATE revisions SET value = value + 1 WHERE subject = $1', [subject]);
  }
}
