import { setImmediate as nextTurn } from 'node:timers/promises';

import type {
  ChangeOrigin,
  EndedVersion,
  StoreChange,
  Version,
} from '../domain/changes/version.ts';
import type { RevisionSubject } from './contract/store.ts';
import { damaged } from './contract/store-fault.ts';
import type { Changed, VersionedStore } from './contract/versioned-stores.ts';
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
export interface VersionedTable<T, Key> {
  /** What has the revision. It is also the name of the seal. */
  readonly subject: RevisionSubject;
  readonly name: string;
  /** The columns of a value. Those of the key come first, and the first one is a text that is not empty. */
  readonly columns: Columns;
  readonly key: readonly string[];
  /** The columns that two values are compared by. By default, all columns after the key. */
  readonly compared?: readonly string[];
  /** Whether the first change increases the revision even if it changes nothing. */
  readonly isFirstCounted?: boolean;
  /** The columns of a key. */
  readonly keyOf: (key: Key) => Row;
  /** @throws RangeError for a value that cannot be stored. */
  readonly toRow: (value: T) => Row;
  /**
   * The value of a row, which may have further columns.
   *
   * @throws StoreFault `corrupt`, by `damaged`
   */
  readonly fromRow: (row: Row, damaged: (reason: string) => Error) => T;
}

/** What the schema, the seals and the statements of a versioned table follow from. */
type TableNames = Pick<VersionedTable<never, never>, 'subject' | 'name' | 'columns' | 'key'>;

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
export function tablesOf({ subject, name, columns, key }: TableNames) {
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
class VersionedRows<T, Key> {
  protected readonly table: VersionedTable<T, Key>;
  protected readonly tables: ReturnType<typeof tablesOf>;
  readonly #width: number;
  readonly #where: string;

  constructor(where: string, table: VersionedTable<T, Key>) {
    this.#where = where;
    this.table = table;
    this.tables = tablesOf(table);
    this.#width = Object.keys(table.columns).length;
  }

  /** The value of a row of one of the two tables. */
  protected valueOf(row: Row): T {
    return this.table.fromRow(row, (reason) => damaged(this.#where, reason));
  }

  /** The version of a row of one of the two tables. */
  protected versionOf(row: Row): Version<T> {
    const at = this.#width;
    const value = this.valueOf(row);
    const stored = changeAt(row, at);
    if (typeof row[at + 2] !== 'number') return { value, stored };
    return { value, stored, replaced: changeAt(row, at + 2) };
  }
}

/** Reads a versioned table. */
export class VersionedReader<T, Key>
  extends VersionedRows<T, Key>
  implements Omit<VersionedStore<T, Key>, 'apply' | 'restore'>
{
  readonly #sql: Reader;

  constructor(sql: Reader, table: VersionedTable<T, Key>) {
    super(sql.where, table);
    this.#sql = sql;
  }

  revision(): Promise<number> {
    return this.#sql.revision(this.table.subject);
  }

  async readAll(): Promise<{ readonly revision: number; readonly values: readonly T[] }> {
    const { revision, rows } = await this.#read([this.tables.stored]);
    return { revision, values: rows.map((row) => this.valueOf(row)) };
  }

  async readVersions(): Promise<readonly Version<T>[]> {
    const { stored, replaced } = this.tables;
    const { rows } = await this.#read([replaced, stored]);
    return rows.toSorted(this.#byKey).map((row) => this.versionOf(row));
  }

  async readReplaced(): Promise<readonly EndedVersion<T>[]> {
    const { rows } = await this.#read([this.tables.replaced]);
    return rows.toSorted(this.#byKey).map((row) => this.versionOf(row) as EndedVersion<T>);
  }

  /** Sorting is stable, so the rows of a key stay in the order in which they were stored. */
  readonly #byKey = (a: Row, b: Row): number => {
    const at = this.table.key.findIndex((_, column) => a[column] !== b[column]);
    if (at === -1) return 0;
    return (a[at] as string | number) < (b[at] as string | number) ? -1 : 1;
  };

  /** Reads whole tables, one after the other. Returns their rows with the revision that they belong to. */
  async #read(
    tables: readonly DeclaredTable[],
  ): Promise<{ readonly revision: number; readonly rows: readonly Row[] }> {
    for (;;) {
      const revision = await readRevision(this.#sql, this.table.subject);
      const rows = new Map<string, readonly Row[]>();
      for (const table of tables) rows.set(table.subject, await this.#rowsOf(table));
      const after = await readRevision(this.#sql, this.table.subject, (now, seals) => {
        if (now === revision) for (const [subject, all] of rows) seals.table(subject, all);
      });
      // Rows that were changed between two pages are read again.
      if (after === revision) return { revision, rows: [...rows.values()].flat() };
    }
  }

  /** Reads the rows of a table in pages, ascending by its primary key. */
  async #rowsOf({ name, columns, key }: DeclaredTable): Promise<readonly Row[]> {
    const { rowsPerTurn } = this.#sql;
    const order = key ?? ['position'];
    const marks = order.map((_, at) => `$${at + 1}`).join(', ');
    const text = `SELECT ${namesOf(columns)}${key === undefined ? ', position' : ''} FROM ${name}
      WHERE (${order.join(', ')}) > (${marks}) ORDER BY ${order.join(', ')} LIMIT ${rowsPerTurn}`;
    const rows: Row[] = [];
    // No key is before this one.
    let last: Row = order.map((column) => (columns[column] === 'text' ? '' : 0));
    for (;;) {
      const page = await this.#sql.all(text, last);
      rows.push(...(key === undefined ? page.map((row) => row.slice(0, -1)) : page));
      const end = page[rowsPerTurn - 1];
      if (end === undefined) return rows;
      last = key === undefined ? end.slice(-1) : end.slice(0, key.length);
      await nextTurn();
    }
  }
}

/** Writes a versioned table. */
export class VersionedWriter<T, Key>
  extends VersionedRows<T, Key>
  implements Pick<VersionedStore<T, Key>, 'apply' | 'restore'>
{
  readonly #sql: Writer;
  readonly #compared: readonly number[];

  constructor(sql: Writer, table: VersionedTable<T, Key>) {
    super(sql.where, table);
    this.#sql = sql;
    const { columns, key, compared } = table;
    const names = Object.keys(columns);
    this.#compared = (compared ?? names.slice(key.length)).map((name) => names.indexOf(name));
  }

  async apply(
    { put = [], remove = [] }: { readonly put?: readonly T[]; readonly remove?: readonly Key[] },
    { at, origin }: StoreChange,
  ): Promise<readonly Changed<T>[]> {
    const { subject, isFirstCounted = false } = this.table;
    const given = new Map<string, { readonly row: Row; readonly value?: T }>();
    for (const row of remove.map(this.table.keyOf)) given.set(row.join('\n'), { row });
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

async function isFirst(sql: Transaction, subject: RevisionSubject): Promise<boolean> {
  const [row] = await sql.all('SELECT value FROM revisions WHERE subject = $1', [subject]);
  return row?.[0] === 0;
}

function changeAt(row: Row, at: number): StoreChange {
  return { at: row[at] as number, origin: row[at + 1] as ChangeOrigin };
}
