import type { StoreChange } from '../../domain/changes/version.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { DayRange } from '../contract/history-store.ts';
import type { RevisionSubject } from '../contract/store.ts';
import { damaged } from '../contract/store-fault.ts';

/**
 * What the tables of a store need from a database. Each engine has a driver (`sqlite/sql/sqlite-driver.ts`,
 * `postgres/sql/pg-driver.ts`), so a table is written once. Texts are the SQL that both engines share: `$1` for a
 * value, CAST and not `::`, `WHERE true` before ON CONFLICT after a SELECT.
 */

/** A value of a row. A boolean or an instant is a number. */
type Value = string | number | Uint8Array | null;

/** A row: the values of its columns in their order. */
export type Row = readonly Value[];

/** The type of a column. With a question mark, null is a value of it. `big` is an integer up to 2^53. */
export type ColumnType = `${'text' | 'integer' | 'big' | 'real' | 'bytes'}${'' | '?'}`;

/** The columns of a table or of given rows, in their order. */
export type Columns = Readonly<Record<string, ColumnType>>;

/**
 * Compares rows that were read with what is known of them apart from the rows. Every method throws a StoreFault
 * `corrupt` when they differ.
 */
export interface Seals {
  /** All rows of a small table. */
  table(subject: string, rows: readonly Row[]): void;
  /** That an instrument is found as it was stored, or is not stored. */
  instrument(ticker: Ticker): void;
  /** All closes of an instrument in a range, ascending: day, close and volume, or the whole rows. */
  closes(ticker: Ticker, range: DayRange, rows: readonly Row[]): void;
  /** All closes of an instrument in a range that others have replaced. */
  replaced(ticker: Ticker, range: DayRange, rows: readonly Row[]): void;
  /**
   * The closes of an instrument and their memory, which it reads itself.
   *
   * @returns the instant of the first change that stored one of them
   */
  history(ticker: Ticker): number | undefined;
  /** What is stored as a change. */
  change(id: number, change: StoreChange): void;
  /** The instruments whose closes changed after a revision. */
  changed(revision: number, tickers: readonly Ticker[]): void;
  /** All bars of an instrument on the days of a range, from the first minute of a block on, ascending. */
  bars(
    ticker: Ticker,
    range: DayRange & { readonly sinceMinute: number },
    bars: readonly Bar[],
  ): void;
  /** Rows of quotes. */
  quotes(rows: readonly Row[], own: { readonly areAll: boolean }): void;
}

/**
 * Checks rows on the state of the database that they are of. It is not called by an engine that has no seals, because
 * it has checksums of its pages.
 */
export type SealCheck<R extends Row> = (rows: readonly R[], seals: Seals) => void;

/** Reads what is committed. */
export interface Reader {
  /** The place, for people. */
  readonly where: string;
  /** Maximum number of rows of one query, so that it does not block the event loop. */
  readonly rowsPerTurn: number;
  /** Number of minutes whose bars are sealed together, so that they are read together. */
  readonly minutesPerBlock: number;

  /** The rows of a query. */
  all<R extends Row>(text: string, values?: Row, check?: SealCheck<R>): Promise<readonly R[]>;

  /**
   * The rows of a query as columns: `days`, the first one, and the given numbers, NaN for null. This takes a third of
   * the time of rows where those come from a server.
   *
   * @param query.columns those of the numbers, which follow the day in this order.
   */
  series<Name extends string, R extends Row>(
    text: string,
    query: {
      readonly values: Row;
      readonly columns: Readonly<Record<Name, string>>;
      readonly check: SealCheck<R>;
    },
  ): Promise<{ readonly days: Int32Array } & Readonly<Record<Name, Float64Array>>>;

  /**
   * The row of each given key, or undefined. Reads some keys at a time, each of them on one state of the database.
   *
   * @param text the query over the relation `given`, which has these columns and `place`, its first column.
   * @param check receives the index of each key, and its row.
   */
  lookUp<R extends Row>(
    columns: Columns,
    keys: readonly Row[],
    text: (given: string) => string,
    check: (at: number, row: R | undefined, seals: Seals) => void,
  ): Promise<readonly (R | undefined)[]>;

  /** The revision of a subject, which rises with each transaction that changes it. The call is cheap. */
  revision(subject: RevisionSubject): Promise<number>;
}

/**
 * The revision of a subject as the database has it.
 *
 * @throws StoreFault `corrupt`
 */
export async function readRevision(
  sql: Pick<Reader, 'all' | 'where'>,
  subject: RevisionSubject,
  check?: (revision: number, seals: Seals) => void,
): Promise<number> {
  const [row] = await sql.all<readonly [number]>(
    'SELECT value FROM revisions WHERE subject = $1',
    [subject],
    ([found], seals) => {
      if (found !== undefined) check?.(found[0], seals);
    },
  );
  if (row === undefined) throw damaged(sql.where, `the revision of ${subject} is missing`);
  return row[0];
}

/** The names of columns, for a statement. */
export function namesOf(columns: Columns, prefix = ''): string {
  return Object.keys(columns)
    .map((name) => `${prefix}${name}`)
    .join(', ');
}

/** One open transaction. */
export interface Transaction {
  /** The rows of a statement, including what the transaction has changed. */
  all<R extends Row>(text: string, values?: Row, check?: SealCheck<R>): Promise<readonly R[]>;

  /**
   * Runs a statement for given rows. The engine decides whether it runs once for all of them or once for each.
   *
   * @param text the statement over the relation `given`, which has these columns and `place`, the position of the row.
   */
  batch<R extends Row>(
    columns: Columns,
    rows: readonly Row[],
    text: (given: string) => string,
  ): Promise<readonly R[]>;

  /**
   * Inserts rows in their order.
   *
   * @param tail an ON CONFLICT clause. Without it, a row whose key exists is a StoreFault `conflict`.
   */
  insert(table: string, columns: Columns, rows: readonly Row[], tail?: string): Promise<void>;

  /** Lets other writers of these tables wait until the end. Call it first: what is read later is then current. */
  lock(...tables: readonly string[]): Promise<void>;

  /** Adds rows to the seal of a table, and takes rows out of it, where the engine has seals. */
  seal(
    subject: string,
    change: { readonly added?: readonly Row[]; readonly removed?: readonly Row[] },
  ): Promise<void>;

  /** Removes all rows of a table, and its seal with them. Returns the number of rows. */
  clear(table: { readonly name: string; readonly subject: string }): Promise<number>;

  /** Increments the revision of a subject at the end of the transaction, and notifies other processes. */
  raise(subject: RevisionSubject): Promise<void>;
}

/** Reads and changes bars in one step of their housekeeping. */
export interface HousekeepingStep extends Pick<Reader, 'where' | 'all'> {
  /**
   * Runs a statement for given rows, as in a transaction. A writer that has lost its claim changes nothing.
   *
   * @param text it returns the id of the instrument and the day of each row that it has changed.
   * @param unsealed whose seals are removed: those of the returned days, or all. By default none.
   * @returns the number of changed rows
   */
  change(
    columns: Columns,
    rows: readonly Row[],
    text: (given: string) => string,
    unsealed?: 'returned' | 'all',
  ): Promise<number>;
}

/** Writes. */
export interface Writer {
  /** The place, for people. */
  readonly where: string;

  /** As the method of a transaction, with a statement that is complete in itself and may run twice. */
  batch(columns: Columns, rows: readonly Row[], text: (given: string) => string): Promise<void>;

  /**
   * Runs one step, which may run twice. The engine decides whether it is a transaction, or each change of it. It reads
   * only what is committed, and what it has changed.
   */
  step<T>(work: (sql: HousekeepingStep) => Promise<T>): Promise<T>;

  /** Runs `work` as one transaction. When it resolves, the transaction is durable. When `work` rejects, nothing is stored. */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
}
