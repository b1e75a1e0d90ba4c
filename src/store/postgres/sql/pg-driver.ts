import { hash } from 'node:crypto';

import {
  namesOf,
  readRevision,
  type Columns,
  type ColumnType,
  type Reader,
  type Row,
  type HousekeepingStep,
  type Transaction,
  type Writer,
} from '../../sql/sql.ts';
import type { Fence } from '../claim/lease-sql.ts';
import type { ReconnectingSession, Transactions } from '../connection/reconnecting-session.ts';
import {
  byteaArray,
  float8Array,
  int4Array,
  int8Array,
  readFloat8Array,
  readInt4Array,
  textArray,
} from '../session/binary-arrays.ts';
import type { Session, Statement, StatementValue } from '../session/session.ts';
import type { RevisionSubject } from '../../contract/store.ts';
import type { Heads } from '../watch/change-listener.ts';

/** Maximum number of keys of one statement. From a cold disk, 1,500 closes take about a second. */
const keysPerStatement = 1_500;

type Last = (statement: Statement, values: readonly StatementValue[]) => void;

/** Reads through the connection of a store that reads. PostgreSQL has checksums of its pages, so there are no seals. */
export class PgReader implements Reader {
  readonly #connection: ReconnectingSession;
  readonly #heads: Heads;
  readonly #names = new Map<string, string>();
  /** Rows arrive in parts, so that a long result blocks nothing. */
  readonly rowsPerTurn = 2 ** 31 - 1;
  readonly minutesPerBlock = 1;

  constructor(connection: ReconnectingSession, heads: Heads) {
    this.#connection = connection;
    this.#heads = heads;
  }

  get where(): string {
    return this.#connection.where;
  }

  all<R extends Row>(text: string, values: Row = []): Promise<readonly R[]> {
    return this.#query<R>(text, values);
  }

  async series<Name extends string>(
    text: string,
    { values, columns }: { readonly values: Row; readonly columns: Readonly<Record<Name, string>> },
  ): Promise<{ readonly days: Int32Array } & Readonly<Record<Name, Float64Array>>> {
    const names = ['day', ...Object.values<string>(columns)];
    const sent = names.map((name) => `array_send(array_agg(${name}))`).join(', ');
    const [row] = await this.#query<readonly (Buffer | null)[]>(
      `SELECT ${sent} FROM (${text}) AS ordered`,
      values,
    );
    const numbers = Object.keys(columns).map((name, at) => [
      name,
      readFloat8Array(row?.[at + 1] ?? null),
    ]);
    return { ...Object.fromEntries(numbers), days: readInt4Array(row?.[0] ?? null) };
  }

  async lookUp<R extends Row>(
    columns: Columns,
    keys: readonly Row[],
    text: (given: string) => string,
  ): Promise<readonly (R | undefined)[]> {
    const found: (R | undefined)[] = Array.from(keys, () => undefined);
    for (let from = 0; from < keys.length; from += keysPerStatement) {
      const { given, values } = givenRows(columns, keys.slice(from, from + keysPerStatement));
      const rows = await this.#query<readonly [number, ...R]>(text(given), values);
      for (const [place, ...row] of rows) found[from + place] = row;
    }
    return found;
  }

  async revision(subject: RevisionSubject): Promise<number> {
    return this.#heads.current(subject) ?? readRevision(this, subject);
  }

  #query<R extends readonly unknown[]>(
    text: string,
    values: readonly StatementValue[],
  ): Promise<readonly R[]> {
    return this.#connection.query<R>({ name: this.#nameOf(text), text }, values);
  }

  /** Behind a pooler, sessions of several processes share prepared statements. So a name stands for one text. */
  #nameOf(text: string): string {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = hash('sha1', text);
      this.#names.set(text, name);
    }
    return name;
  }
}

/** Writes through the connection of the short transactions. */
export class PgWriter implements Writer {
  readonly #connection: ReconnectingSession;
  readonly #transactions: Transactions;
  readonly #fence: Fence;
  readonly #channel: string;

  /** @param own.connection for statements that are complete in themselves. */
  constructor(own: {
    readonly connection: ReconnectingSession;
    readonly fence: Fence;
    readonly transactions: Transactions;
    readonly channel: string;
  }) {
    this.#connection = own.connection;
    this.#fence = own.fence;
    this.#transactions = own.transactions;
    this.#channel = own.channel;
  }

  get where(): string {
    return this.#connection.where;
  }

  async batch(
    columns: Columns,
    rows: readonly Row[],
    text: (given: string) => string,
  ): Promise<void> {
    if (rows.length === 0) return;
    const { given, values } = givenRows(columns, rows);
    await this.#connection.query({ text: text(given) }, values);
  }

  /** Each change is one statement: however this process is suspended or cut off, no lock stays behind. */
  step<T>(work: (sql: HousekeepingStep) => Promise<T>): Promise<T> {
    return work({
      where: this.where,
      all: (text, values = []) => this.#connection.query({ text }, values),
      change: async (columns, rows, text) => {
        if (rows.length === 0) return 0;
        const { given, values } = givenRows(columns, rows, ['fence,', 2]);
        const statement = {
          text: `WITH fence AS (${this.#fence.sql}), changed AS (${text(given)})
            SELECT (SELECT count(*) FROM fence), (SELECT count(*) FROM changed)`,
        };
        const [[passes, changed] = [0, 0]] = await this.#connection.send<readonly [number, number]>(
          {
            statement,
            values: () => [...this.#fence.values(), ...values],
          },
        );
        if (passes !== 1) throw this.#fence.refused();
        return changed;
      },
    });
  }

  transaction<T>(work: (sql: PgTransaction) => Promise<T>): Promise<T> {
    return this.#transactions.run((session, last) =>
      work(new PgTransaction(session, last, this.#channel)),
    );
  }
}

/** One open transaction, which has the statements that only PostgreSQL needs too. */
export class PgTransaction implements Transaction {
  readonly #session: Session;
  readonly #channel: string;
  readonly #raised = new Set<string>();
  /** Sends a statement together with COMMIT. */
  readonly last: Last;

  constructor(session: Session, last: Last, channel: string) {
    this.#session = session;
    this.last = last;
    this.#channel = channel;
  }

  all<R extends Row>(text: string, values: Row = []): Promise<readonly R[]> {
    return this.#session.query<R>({ text }, values);
  }

  /** One statement for all rows, which are an array for each column. */
  async batch<R extends Row>(
    columns: Columns,
    rows: readonly Row[],
    text: (given: string) => string,
  ): Promise<readonly R[]> {
    if (rows.length === 0) return [];
    const { given, values } = givenRows(columns, rows);
    return this.#session.query<R>({ text: text(given) }, values);
  }

  async insert(table: string, columns: Columns, rows: readonly Row[], tail = ''): Promise<void> {
    const names = Object.keys(columns).join(', ');
    await this.batch(
      columns,
      rows,
      (given) =>
        `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${given} ORDER BY place ${tail}`,
    );
  }

  async lock(...tables: readonly string[]): Promise<void> {
    const text = `LOCK TABLE ${tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE`;
    await this.#session.query({ text });
  }

  async seal(): Promise<void> {
    // There are none.
  }

  async clear({ name }: { readonly name: string }): Promise<number> {
    const [row] = await this.all<readonly [number]>(
      `WITH removed AS (DELETE FROM ${name} RETURNING 1) SELECT count(*) FROM removed`,
    );
    return row?.[0] ?? 0;
  }

  /** The revision is locked from here on, so the statement is sent together with COMMIT. */
  async raise(subject: RevisionSubject): Promise<void> {
    if (this.#raised.has(subject)) return;
    this.#raised.add(subject);
    this.last(
      {
        text: `
          WITH raised AS (
            UPDATE revisions SET value = value + 1 WHERE subject = $1 RETURNING subject
          )
          SELECT count(pg_notify($2, subject)) FROM raised`,
      },
      [subject, this.#channel],
    );
  }
}

const types = {
  text: { name: 'text', pack: textArray },
  integer: { name: 'integer', pack: int4Array },
  big: { name: 'bigint', pack: int8Array },
  real: { name: 'float8', pack: float8Array },
  bytes: { name: 'bytea', pack: byteaArray },
} as const;

/**
 * The relation `given` of rows, and its values.
 *
 * @param beside a relation that the rows are joined with, and the number of values before those of the rows.
 */
function givenRows(
  columns: Columns,
  rows: readonly Row[],
  [beside, before]: readonly [beside: string, before: number] = ['', 0],
): { readonly given: string; readonly values: readonly Buffer[] } {
  const names = namesOf(columns);
  return {
    given: `(SELECT ${names}, place - 1 AS place
      FROM ${beside} ${unnestOf(columns, before)} WITH ORDINALITY AS rows (${names}, place)) AS given`,
    values: arraysOf(columns, rows),
  };
}

/** The relation of rows that are sent as an array for each column, after other values. */
export function unnestOf(columns: Columns, before: number): string {
  const arrays = Object.values(columns).map(
    (type, at) => `$${at + 1 + before}::${typeOf(type).name}[]`,
  );
  return `unnest(${arrays.join(', ')})`;
}

/** Rows as an array for each column. */
export function arraysOf(columns: Columns, rows: readonly Row[]): readonly Buffer[] {
  // The declaration of the columns says which type it is.
  return Object.values(columns).map((type, at) =>
    typeOf(type).pack(rows.map((row) => row[at] as never)),
  );
}

/** The type of a column in PostgreSQL. */
export function typeOf(type: ColumnType): (typeof types)[keyof typeof types] {
  return types[type.replace('?', '') as keyof typeof types];
}
