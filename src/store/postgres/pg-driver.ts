import { hash } from 'node:crypto';

import {
  readRevision,
  type Columns,
  type ColumnType,
  type Reader,
  type Row,
  type Transaction,
  type Writer,
} from '../sql/sql.ts';
import type { Link, Transactions } from './connection/link.ts';
import { float8Array, int4Array, int8Array, textArray } from './session/binary-arrays.ts';
import type { Session, Statement, StatementValue } from './session/session.ts';
import { hintOf, type Heads } from './watch/watch.ts';

type Last = (statement: Statement, values: readonly StatementValue[]) => void;

/** Reads through the connection of a store that reads. PostgreSQL has checksums of its pages, so there are no seals. */
export class PgReader implements Reader {
  readonly #link: Link;
  readonly #heads: Heads;
  readonly #names = new Map<string, string>();
  /** Rows arrive in parts, so that a long result blocks nothing. */
  readonly rowsPerTurn = 2 ** 31 - 1;

  constructor(link: Link, heads: Heads) {
    this.#link = link;
    this.#heads = heads;
  }

  get where(): string {
    return this.#link.where;
  }

  all<R extends Row>(text: string, values: Row = []): Promise<readonly R[]> {
    return this.#link.query<R>({ name: this.#nameOf(text), text }, values);
  }

  async revision(subject: string): Promise<number> {
    return this.#heads.current(subject) ?? readRevision(this, subject);
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
  readonly #link: Link;
  readonly #transactions: Transactions;
  readonly #channel: string;

  /** @param own.link for statements that are complete in themselves. */
  constructor(own: {
    readonly link: Link;
    readonly transactions: Transactions;
    readonly channel: string;
  }) {
    this.#link = own.link;
    this.#transactions = own.transactions;
    this.#channel = own.channel;
  }

  get where(): string {
    return this.#link.where;
  }

  async batch(
    columns: Columns,
    rows: readonly Row[],
    text: (given: string) => string,
  ): Promise<void> {
    if (rows.length === 0) return;
    const { given, values } = givenRows(columns, rows);
    await this.#link.query({ text: text(given) }, values);
  }

  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.#transactions.run((session, last) => {
      const raised = new Set<string>();
      return work(new PgTransaction(session, (subject) => this.#raise(subject, raised, last)));
    });
  }

  /** The revision is locked from here on, so the statement is sent together with COMMIT. */
  #raise(subject: string, raised: Set<string>, last: Last): void {
    if (raised.has(subject)) return;
    raised.add(subject);
    last(
      {
        text: `
          WITH raised AS (
            UPDATE revisions SET value = value + 1 WHERE subject = $1 RETURNING value
          )
          SELECT count(pg_notify($2, $3)) FROM raised WHERE $3 IS NOT NULL`,
      },
      [subject, this.#channel, hintOf[subject] ?? null],
    );
  }
}

class PgTransaction implements Transaction {
  readonly #session: Session;
  readonly #raise: (subject: string) => void;

  constructor(session: Session, raise: (subject: string) => void) {
    this.#session = session;
    this.#raise = raise;
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

  async raise(subject: string): Promise<void> {
    this.#raise(subject);
  }
}

const types = {
  text: { name: 'text', pack: textArray },
  integer: { name: 'integer', pack: int4Array },
  big: { name: 'bigint', pack: int8Array },
  real: { name: 'float8', pack: float8Array },
} as const;

function givenRows(
  columns: Columns,
  rows: readonly Row[],
): { readonly given: string; readonly values: readonly Buffer[] } {
  const own = Object.values(columns).map((type) => types[baseOf(type)]);
  const arrays = own.map(({ name }, at) => `$${at + 1}::${name}[]`).join(', ');
  const names = Object.keys(columns).join(', ');
  return {
    given: `(SELECT ${names}, place - 1 AS place
      FROM unnest(${arrays}) WITH ORDINALITY AS rows (${names}, place)) AS given`,
    values: own.map(({ pack }, at) =>
      // The declaration of the columns says which type it is.
      pack(rows.map((row) => row[at] as never)),
    ),
  };
}

function baseOf(type: ColumnType): keyof typeof types {
  return type.replace('?', '') as keyof typeof types;
}
