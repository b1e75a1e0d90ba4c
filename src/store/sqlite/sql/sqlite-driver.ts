import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  readRevision,
  type SealCheck,
  type Columns,
  type Reader,
  type Row,
  type Seals,
  type HousekeepingStep,
  type Transaction,
} from '../../sql/sql.ts';
import type { RevisionSubject } from '../../contract/store.ts';
import { minutesPerBlock } from '../seals/bar-seals.ts';
import { hashRow } from '../seals/row-hash.ts';
import { SqliteSeals } from '../seals/sqlite-seals.ts';
import type { SqliteConnection } from '../file/connection.ts';

/** Maximum number of rows of one query: 2 to 4 ms. */
const rowsPerTurn = 4_000;

/** Maximum number of keys that are looked up without yielding to the event loop: about 4 ms. */
const keysPerTurn = 150;

/** Reads through the connection of a store that reads. Each query and its check are one snapshot. */
export class SqliteReader implements Reader {
  readonly rowsPerTurn = rowsPerTurn;
  readonly minutesPerBlock = minutesPerBlock;
  /** For the statements that only SQLite has. */
  readonly connection: SqliteConnection;
  readonly seals: SqliteSeals;

  constructor(connection: SqliteConnection) {
    this.connection = connection;
    this.seals = new SqliteSeals(connection);
  }

  get where(): string {
    return this.connection.where;
  }

  async all<R extends Row>(
    text: string,
    values: Row = [],
    check?: SealCheck<R>,
  ): Promise<readonly R[]> {
    return this.connection.run(() => {
      if (check === undefined) return this.connection.all<R>(text, values);
      return this.connection.snapshot(() => {
        const rows = this.connection.all<R>(text, values);
        check(rows, this.seals);
        return rows;
      });
    });
  }

  async series<Name extends string, R extends Row>(
    text: string,
    {
      values,
      columns,
      check,
    }: {
      readonly values: Row;
      readonly columns: Readonly<Record<Name, string>>;
      readonly check: SealCheck<R>;
    },
  ): Promise<{ readonly days: Int32Array } & Readonly<Record<Name, Float64Array>>> {
    const rows = await this.all<R>(text, values, check);
    const days = new Int32Array(rows.length);
    const names = Object.keys(columns);
    const numbers = names.map(() => new Float64Array(rows.length));
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as Row;
      days[at] = row[0] as number;
      for (let column = 0; column < numbers.length; column += 1) {
        (numbers[column] as Float64Array)[at] = (row[column + 1] ?? Number.NaN) as number;
      }
    }
    const named = names.map((name, at) => [name, numbers[at] as Float64Array] as const);
    return { ...(Object.fromEntries(named) as Readonly<Record<Name, Float64Array>>), days };
  }

  async lookUp<R extends Row>(
    columns: Columns,
    keys: readonly Row[],
    text: (given: string) => string,
    check: (at: number, row: R | undefined, seals: Seals) => void,
  ): Promise<readonly (R | undefined)[]> {
    const found: (R | undefined)[] = [];
    const query = text(givenRow(columns));
    const lookUpOne = (at: number): void => {
      const [one] = this.connection.all(query, [...(keys[at] as Row), 0]);
      const row = one?.slice(1) as R | undefined;
      check(at, row, this.seals);
      found.push(row);
    };
    for (let from = 0; from < keys.length; from += keysPerTurn) {
      if (from > 0) await nextTurn();
      const to = Math.min(from + keysPerTurn, keys.length);
      this.connection.run(() =>
        this.connection.snapshot(() => {
          for (let at = from; at < to; at += 1) lookUpOne(at);
        }),
      );
    }
    return found;
  }

  async revision(subject: RevisionSubject): Promise<number> {
    return readRevision(this, subject);
  }
}

/** The statements of the transaction that is open. A writer has one at a time, which locks the database. */
export class SqliteTransaction extends SqliteReader implements Transaction, HousekeepingStep {
  /** Calling a prepared statement for each row is faster than any statement over many rows. */
  async batch<R extends Row>(
    columns: Columns,
    rows: readonly Row[],
    text: (given: string) => string,
  ): Promise<readonly R[]> {
    const width = Object.keys(columns).length;
    return this.connection.run(() => {
      const statement = this.connection.statement(text(givenRow(columns)), width + 1);
      const found: R[] = [];
      for (const [place, row] of rows.entries()) {
        for (const one of statement.all(...row, place)) found.push(one as unknown as R);
      }
      return found;
    });
  }

  async change(
    ...[columns, rows, text, unsealed]: Parameters<HousekeepingStep['change']>
  ): Promise<number> {
    if (unsealed === 'all') this.connection.run(() => this.seals.barSeals.removeAll());
    const changed = await this.batch<readonly [number, number]>(columns, rows, text);
    this.connection.run(() => {
      if (unsealed === 'returned')
        for (const [id, day] of changed) this.seals.barSeals.remove(id, day);
    });
    return changed.length;
  }

  async insert(table: string, columns: Columns, rows: readonly Row[], tail = ''): Promise<void> {
    const names = Object.keys(columns);
    const marks = names.map((_, at) => `$${at + 1}`);
    this.connection.run(() => {
      const statement = this.connection.statement(
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
    this.connection.run(() => {
      this.seals.changeTable(subject, { added: added.map(hashRow), removed: removed.map(hashRow) });
    });
  }

  async clear({ name, subject }: Parameters<Transaction['clear']>[0]): Promise<number> {
    return this.connection.run(() => {
      this.seals.clearTable(subject);
      return Number(this.connection.statement(`DELETE FROM ${name}`, 0).run().changes);
    });
  }

  /** Other processes read the revision several times a second. */
  async raise(subject: RevisionSubject): Promise<void> {
    await this.all('UPDATE revisions SET value = value + 1 WHERE subject = $1', [subject]);
  }
}

/** The relation `given` of one row. */
function givenRow(columns: Columns): string {
  const names = [...Object.keys(columns), 'place'].map((name, at) => `$${at + 1} AS ${name}`);
  return `(SELECT ${names.join(', ')}) AS given`;
}
