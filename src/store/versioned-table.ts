import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ChangeOrigin, StoreChange, Version } from '../domain/changes/version.ts';
import { damaged } from './contract/store-fault.ts';
import {
  namesOf,
  readRevision,
  type Columns,
  type Reader,
  type Row,
  type Transaction,
  type Writer,
} from './sql/sql.ts';

/**
 * The declaration of a table whose rows remember what replaced them. The table has the columns of a value and
 * `stored_at`, `stored_by`. A second one, named `replaced_…`, has the rows that were replaced or removed, in this
 * order, with `replaced_at` and `replaced_by` beside them.
 */
export interface VersionedTable<T> {
  /** What has the revision. It is also the name of the seal. */
  readonly subject: string;
  readonly name: string;
  /** The columns of a value. Those of the key come first, and the first one is a text that is not empty. */
  readonly columns: Columns;
  readonly key: readonly string[];
  /** The columns that make a difference. Without them, all columns after the key. */
  readonly compared?: readonly string[];
  /** @throws RangeError for a value that cannot be stored. */
  readonly toRow: (value: T) => Row;
  /**
   * The value of a row, which may have further columns.
   *
   * @throws StoreFault `corrupt`, by `damaged`
   */
  readonly fromRow: (row: Row, damaged: (reason: string) => Error) => T;
}

/** A version that was replaced or removed. */
export type EndedVersion<T> = Required<Version<T>>;

/** What a transaction has changed: the value that was put or removed, and what was stored before. */
interface Changed<T> {
  readonly value: T;
  readonly before?: EndedVersion<T>;
}

const changeColumns: Columns = { stored_at: 'big', stored_by: 'text' };

/** A small table that is read as a whole. */
export interface DeclaredTable {
  /** The name of its seal. */
  readonly subject: string;
  readonly name: string;
  readonly columns: Columns;
  /** The columns that are sealed, if not all are. */
  readonly sealed?: Columns;
  /** The columns of the primary key. Without them, the rows have a `position`, which rises with each one. */
  readonly key?: readonly string[];
  readonly unique?: readonly string[];
  /** Statements that create its indexes. */
  readonly indexes?: string;
}

/** The two tables of a declaration, for their schema, their seals and their statements. */
export function tablesOf({
  subject,
  name,
  columns,
  key,
}: Pick<VersionedTable<never>, 'subject' | 'name' | 'columns' | 'key'>) {
  const stored = { ...columns, ...changeColumns };
  return {
    stored: { subject, name, columns: stored, key },
    replaced: {
      subject: `replaced ${subject}`,
      name: `replaced_${name}`,
      columns: { ...stored, replaced_at: 'big', replaced_by: 'text' },
    },
  } as const satisfies Readonly<Record<string, DeclaredTable>>;
}

/** The rows of a versioned table. */
class VersionedRows<T> {
  protected readonly table: VersionedTable<T>;
  protected readonly tables: ReturnType<typeof tablesOf>;
  readonly #width: number;
  readonly #where: string;

  constructor(where: string, table: VersionedTable<T>) {
    this.#where = where;
    this.table = table;
    this.tables = tablesOf(table);
    this.#width = Object.keys(table.columns).length;
  }

  /** The version of a row of one of the two tables. */
  protected versionOf(row: Row): Version<T> {
    const at = this.#width;
    const value = this.table.fromRow(row, (reason) => damaged(this.#where, reason));
    const stored = changeAt(row, at);
    if (typeof row[at + 2] !== 'number') return { value, stored };
    return { value, stored, replaced: changeAt(row, at + 2) };
  }
}

/** Reads a versioned table. */
export class VersionedReader<T> extends VersionedRows<T> {
  readonly #sql: Reader;

  constructor(sql: Reader, table: VersionedTable<T>) {
    super(sql.where, table);
    this.#sql = sql;
  }

  /** The current revision. It rises with each transaction that changes a row, by any process. */
  revision(): Promise<number> {
    return this.#sql.revision(this.table.subject);
  }

  /** What is stored, ascending by key, and the revision that it is of. */
  async readAll(): Promise<{
    readonly revision: number;
    readonly versions: readonly Version<T>[];
  }> {
    const { subject } = this.table;
    for (;;) {
      const before = await readRevision(this.#sql, subject);
      const rows = await this.#pages();
      const after = await readRevision(this.#sql, subject, (now, seals) => {
        if (now === before) seals.table(subject, rows);
      });
      // Rows that were changed between two pages are read again.
      if (after === before)
        return { revision: before, versions: rows.map((row) => this.versionOf(row)) };
    }
  }

  /** Everything that is or was stored, ascending by key, and for each key in the order in which it was stored. */
  async readVersions(): Promise<readonly Version<T>[]> {
    const { stored, replaced } = this.tables;
    const width = Object.keys(stored.columns).length;
    const rows = await this.#sql.all(
      `SELECT ${namesOf(replaced.columns)} FROM (
        SELECT ${namesOf(replaced.columns)}, position FROM ${replaced.name}
        UNION ALL SELECT ${namesOf(stored.columns)}, NULL, NULL, NULL FROM ${stored.name}
      ) AS versions ORDER BY ${this.table.key.join(', ')}, position NULLS LAST`,
      [],
      (all, seals) => {
        seals.table(
          stored.subject,
          all.filter((row) => row[width] === null).map((row) => row.slice(0, width)),
        );
        seals.table(
          replaced.subject,
          all.filter((row) => row[width] !== null),
        );
      },
    );
    return rows.map((row) => this.versionOf(row));
  }

  /** What was replaced or removed, ascending by key, and for each key in the order in which it was stored. */
  async readReplaced(): Promise<readonly EndedVersion<T>[]> {
    const { subject, name, columns } = this.tables.replaced;
    const rows = await this.#sql.all(
      `SELECT ${namesOf(columns)} FROM ${name} ORDER BY ${this.table.key.join(', ')}, position`,
      [],
      (all, seals) => seals.table(subject, all),
    );
    return rows.map((row) => this.versionOf(row) as EndedVersion<T>);
  }

  async #pages(): Promise<readonly Row[]> {
    const { key, columns } = this.table;
    const { stored } = this.tables;
    const { rowsPerTurn } = this.#sql;
    const marks = key.map((_, at) => `$${at + 1}`).join(', ');
    const text = `SELECT ${namesOf(stored.columns)} FROM ${stored.name}
      WHERE (${key.join(', ')}) > (${marks}) ORDER BY ${key.join(', ')} LIMIT ${rowsPerTurn}`;
    const rows: Row[] = [];
    // No key is before this one.
    let last: Row = key.map((name) => (columns[name] === 'text' ? '' : 0));
    for (;;) {
      const page = await this.#sql.all(text, last);
      rows.push(...page);
      const end = page[rowsPerTurn - 1];
      if (end === undefined) return rows;
      last = end.slice(0, key.length);
      await nextTurn();
    }
  }
}

/** Writes a versioned table. */
export class VersionedWriter<T> extends VersionedRows<T> {
  readonly #sql: Writer;
  readonly #compared: readonly number[];

  constructor(sql: Writer, table: VersionedTable<T>) {
    super(sql.where, table);
    this.#sql = sql;
    const { columns, key, compared } = table;
    const names = Object.keys(columns);
    this.#compared = (compared ?? names.slice(key.length)).map((name) => names.indexOf(name));
  }

  /**
   * Stores values, replaces those of the same key, and removes others, in one transaction. What is replaced or
   * removed is kept. An equal value is no change. Of several values of one key, the last one is stored. No key may
   * be in both lists. A transaction that changes a row increases the revision by one.
   *
   * @param change.remove keys, as the first columns of rows
   * @param isFirstCounted whether the first transaction increases the revision even if it changes nothing
   * @returns what has changed
   */
  async apply(
    { put, remove }: { readonly put: readonly T[]; readonly remove: readonly Row[] },
    { at, origin }: StoreChange,
    { isFirstCounted = false }: { readonly isFirstCounted?: boolean } = {},
  ): Promise<readonly Changed<T>[]> {
    const { subject } = this.table;
    const given = new Map<string, { readonly row: Row; readonly value?: T }>();
    for (const row of remove) given.set(row.join('\n'), { row });
    for (const value of put) {
      const row = this.table.toRow(value);
      given.set(this.#keyOf(row).join('\n'), { row, value });
    }
    return this.#transaction(async (sql) => {
      const found = await this.#find(
        sql,
        Array.from(given.values(), ({ row }) => this.#keyOf(row)),
      );
      const added: Row[] = [];
      const ended: Row[] = [];
      const gone: Row[] = [];
      const changes: Changed<T>[] = [];
      for (const [index, { row, value }] of [...given.values()].entries()) {
        const before = found[index];
        const isSame =
          value === undefined
            ? before === undefined
            : before !== undefined &&
              this.#compared.every((column) => row[column] === before[column]);
        if (isSame) continue;
        if (value === undefined) gone.push(row);
        else added.push([...row, at, origin]);
        if (before === undefined) {
          if (value !== undefined) changes.push({ value });
          continue;
        }
        const kept = [...before.slice(0, -1), at, origin];
        const version = this.versionOf(kept) as EndedVersion<T>;
        ended.push(kept);
        changes.push({ value: value ?? version.value, before: version });
      }
      await this.#remove(sql, gone);
      await this.#store(sql, { added, ended });
      await sql.seal(this.tables.stored.subject, {
        removed: ended.map((row) => row.slice(0, -2)),
      });
      if (changes.length > 0 || (isFirstCounted && (await isFirst(sql, subject)))) {
        await sql.raise(subject);
      }
      return changes;
    });
  }

  /**
   * Stores versions as they are, in one transaction: those of a copy. Everything that is stored already is replaced,
   * and nothing of it is kept.
   *
   * @param versions for each key in the order in which they were stored
   */
  async restore(versions: readonly Version<T>[]): Promise<void> {
    const added: Row[] = [];
    const ended: Row[] = [];
    for (const { value, stored, replaced } of versions) {
      const row = [...this.table.toRow(value), stored.at, stored.origin];
      if (replaced === undefined) added.push(row);
      else ended.push([...row, replaced.at, replaced.origin]);
    }
    await this.#transaction(async (sql) => {
      const { stored, replaced } = this.tables;
      const removed = (await sql.clear(stored)) + (await sql.clear(replaced));
      await this.#store(sql, { added, ended });
      // A copy of a table that was never written is one, too.
      if (removed + versions.length > 0) await sql.raise(this.table.subject);
    });
  }

  #transaction<R>(work: (sql: Transaction) => Promise<R>): Promise<R> {
    return this.#sql.transaction(async (sql) => {
      await sql.lock(this.tables.stored.name, this.tables.replaced.name);
      return work(sql);
    });
  }

  /** The stored rows of keys, in the order of the keys. Each one has the position of its key as its last column. */
  async #find(sql: Transaction, keys: readonly Row[]): Promise<readonly (Row | undefined)[]> {
    const { name, columns } = this.tables.stored;
    const isKey = this.table.key.map((column) => `held.${column} = given.${column}`);
    const rows = await sql.batch(
      this.#keyColumns(),
      keys,
      (given) => `SELECT ${namesOf(columns, 'held.')}, given.place
        FROM ${given} JOIN ${name} AS held ON ${isKey.join(' AND ')}`,
    );
    const found: (Row | undefined)[] = Array.from(keys, () => undefined);
    const at = Object.keys(columns).length;
    for (const row of rows) found[row[at] as number] = row;
    return found;
  }

  async #remove(sql: Transaction, keys: readonly Row[]): Promise<void> {
    const { name } = this.table;
    const names = namesOf(this.#keyColumns());
    await sql.batch(
      this.#keyColumns(),
      keys,
      (given) => `DELETE FROM ${name} WHERE (${names}) IN (SELECT ${names} FROM ${given})`,
    );
  }

  async #store(
    sql: Transaction,
    { added, ended }: { readonly added: readonly Row[]; readonly ended: readonly Row[] },
  ): Promise<void> {
    const { stored, replaced } = this.tables;
    const { key } = this.table;
    const settings = Object.keys(stored.columns)
      .slice(key.length)
      .map((column) => `${column} = excluded.${column}`);
    await sql.insert(replaced.name, replaced.columns, ended);
    await sql.insert(
      stored.name,
      stored.columns,
      added,
      `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${settings.join(', ')}`,
    );
    await sql.seal(replaced.subject, { added: ended });
    await sql.seal(stored.subject, { added });
  }

  #keyOf(row: Row): Row {
    return row.slice(0, this.table.key.length);
  }

  #keyColumns(): Columns {
    const { key, columns } = this.table;
    return Object.fromEntries(Object.entries(columns).slice(0, key.length));
  }
}

async function isFirst(sql: Transaction, subject: string): Promise<boolean> {
  const [row] = await sql.all('SELECT value FROM revisions WHERE subject = $1', [subject]);
  return row?.[0] === 0;
}

function changeAt(row: Row, at: number): StoreChange {
  return { at: row[at] as number, origin: row[at + 1] as ChangeOrigin };
}
