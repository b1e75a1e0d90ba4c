import { damaged } from '../contract/store-fault.ts';

/**
 * What the tables of a store need from a database. Each engine has a driver (`sqlite/sql/sqlite-driver.ts`,
 * `postgres/pg-driver.ts`), so a table is written once. Texts are the SQL that both engines share: `$1` for a
 * value, CAST and not `::`, `WHERE true` before ON CONFLICT after a SELECT.
 */

/** A value of a row. A boolean or an instant is a number. */
type Value = string | number | null;

/** A row: the values of its columns in their order. */
export type Row = readonly Value[];

/** The type of a column. With a question mark, null is a value of it. `big` is an integer up to 2^53. */
export type ColumnType = `${'text' | 'integer' | 'big' | 'real'}${'' | '?'}`;

/** The columns of a table or of given rows, in their order. */
export type Columns = Readonly<Record<string, ColumnType>>;

/** Compares all rows of a table with what is known of them apart from the rows. Throws a StoreFault `corrupt`. */
export type VerifySeal = (subject: string, rows: readonly Row[]) => void;

/** Reads what is committed. */
export interface Reader {
  /** The place, for people. */
  readonly where: string;
  /** Maximum number of rows of one query, so that it does not block the event loop. */
  readonly rowsPerTurn: number;

  /**
   * The rows of a query.
   *
   * @param check receives the rows on the state of the database that they are of. It is not called by an engine that
   *   has no seals, because it has checksums of its pages.
   */
  all<R extends Row>(
    text: string,
    values?: Row,
    check?: (rows: readonly R[], verify: VerifySeal) => void,
  ): Promise<readonly R[]>;

  /** The revision of a subject, which rises with each transaction that changes it. The call is cheap. */
  revision(subject: string): Promise<number>;
}

/**
 * The revision of a subject as the database has it.
 *
 * @throws StoreFault `corrupt`
 */
export async function readRevision(
  sql: Pick<Reader, 'all' | 'where'>,
  subject: string,
  check?: (revision: number, verify: VerifySeal) => void,
): Promise<number> {
  const [row] = await sql.all<readonly [number]>(
    'SELECT value FROM revisions WHERE subject = $1',
    [subject],
    ([found], verify) => {
      if (found !== undefined) check?.(found[0], verify);
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
  all<R extends Row>(text: string, values?: Row): Promise<readonly R[]>;

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

  /** Increments the revision of a subject at the end of the transaction, and notifies other processes. */
  raise(subject: string): Promise<void>;
}

/** Writes. */
export interface Writer {
  /** The place, for people. */
  readonly where: string;

  /** As the method of a transaction, with a statement that is complete in itself and may run twice. */
  batch(columns: Columns, rows: readonly Row[], text: (given: string) => string): Promise<void>;

  /** Runs `work` as one transaction. When it resolves, the transaction is durable. When `work` rejects, nothing is stored. */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
}
