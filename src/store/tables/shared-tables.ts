import type { Dialect } from './tables.ts';

/** How an engine declares the tables of closes, quotes and bars. */
interface SharedDialect extends Dialect {
  /** The type of a key that the engine assigns to each new row. */
  readonly id: string;
  /** The column of the seal of a row, after a comma. Empty without seals. */
  readonly seal: string;
  /** What follows a column with the id of another table. */
  readonly references: (table: string) => string;
  /** What follows the primary key of the closes. */
  readonly withCloses: string;
  /** What follows a table besides its options, by its name. */
  readonly storage: Readonly<Record<string, string>>;
}

/**
 * The statements that create the tables of closes, quotes and bars.
 *
 * - `revisions` counts the committed changes of each subject. `instruments.closes_revision` is the revision of the last
 *   change of an instrument's closes.
 * - A close refers to its instrument by a small integer, so a row is small, and a range of closes is a contiguous
 *   range of the primary key. Days are integers. Prices are doubles, which are exact.
 * - No query searches within a quote, and all quotes are read when a service starts. So the state of a quote is one
 *   JSON text, and new fields need no other schema.
 * - A bar is added to `minute_bars`, in order of time, so that the bars of all instruments that finish together are
 *   on a few adjacent pages. When a day is over, the bars of each instrument are packed into one row of
 *   `session_bars`, which takes a quarter of the space, and the day is removed from `minute_bars`
 *   (docs/decisions/0012). `minute` counts from the start of 1970 in UTC.
 * - `changes` has the instant and the origin of each transaction that changed a close (docs/decisions/0017). The first
 *   row is the creation of the store: nothing is known about the time before it. `closes.change_id` is the change that
 *   stored the close, and `replaced_closes` has those that others have replaced.
 */
export function createSharedTables(dialect: SharedDialect): string {
  const { id, position, seal, references, withCloses } = dialect;
  const { text, integer, big, real, bytes } = dialect.types;
  const prices = `close ${real} NOT NULL, volume ${real}, open ${real}, high ${real}, low ${real}`;
  const options = (table: string, kind: keyof Dialect['options']): string =>
    `${dialect.options[kind]} ${dialect.storage[table] ?? ''}`;
  return `
  CREATE TABLE revisions (
    subject ${text} NOT NULL PRIMARY KEY,
    value ${big} NOT NULL
  ) ${options('revisions', 'keyed')};

  INSERT INTO revisions (subject, value) VALUES ('closes', 0);

  CREATE TABLE instruments (
    id ${id} PRIMARY KEY,
    ticker ${text} NOT NULL UNIQUE,
    closes_revision ${big} NOT NULL DEFAULT 0
  ) ${options('instruments', 'numbered')};

  CREATE TABLE sources (
    id ${id} PRIMARY KEY,
    name ${text} NOT NULL UNIQUE
  ) ${options('sources', 'numbered')};

  CREATE TABLE closes (
    instrument_id ${integer} NOT NULL ${references('instruments')},
    day ${integer} NOT NULL,
    ${prices},
    source_id ${integer} ${references('sources')},
    change_id ${integer},
    PRIMARY KEY (instrument_id, day) ${withCloses}
  ) ${options('closes', 'keyed')};

  CREATE TABLE changes (
    id ${id} PRIMARY KEY,
    at ${big} NOT NULL,
    origin ${text} NOT NULL${seal}
  ) ${options('changes', 'numbered')};

  CREATE TABLE replaced_closes (
    instrument_id ${integer} NOT NULL,
    day ${integer} NOT NULL,
    position ${position},
    ${prices},
    source_id ${integer},
    change_id ${integer},
    replaced_by ${integer} NOT NULL,
    PRIMARY KEY (instrument_id, day, position)
  ) ${options('replaced_closes', 'keyed')};

  CREATE TABLE quotes (
    ticker ${text} NOT NULL PRIMARY KEY,
    version ${big} NOT NULL,
    state ${text} NOT NULL${seal}
  ) ${options('quotes', 'keyed')};

  CREATE TABLE minute_bars (
    day ${integer} NOT NULL,
    minute ${integer} NOT NULL,
    instrument_id ${integer} NOT NULL,
    open ${real} NOT NULL,
    high ${real} NOT NULL,
    low ${real} NOT NULL,
    last ${real} NOT NULL,
    volume ${real},
    PRIMARY KEY (day, minute, instrument_id)
  ) ${options('minute_bars', 'keyed')};

  CREATE TABLE session_bars (
    instrument_id ${integer} NOT NULL ${references('instruments')},
    day ${integer} NOT NULL,
    bars ${bytes} NOT NULL,
    PRIMARY KEY (instrument_id, day)
  ) ${options('session_bars', 'keyed')};
`;
}
