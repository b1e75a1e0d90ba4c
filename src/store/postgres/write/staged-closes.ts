import { isDeepStrictEqual } from 'node:util';

import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { CloseRow } from '../../encoding/close-row.ts';
import type { Columns } from '../../sql/sql.ts';
import { typeOf, type PgTransaction } from '../sql/pg-driver.ts';
import type { Statement } from '../session/session.ts';

/**
 * What a transaction knows of the stored close that it replaces: `unread`, `none`, or its values. Numbers
 * stand for them in the table.
 */
export type SeenClose = 'unread' | 'none' | CloseRow;

/** A close that is to be stored. */
interface StagedClose {
  readonly ticker: Ticker;
  readonly close: CloseRow;
  readonly seen: SeenClose;
  /** Whether it replaces a different close of this transaction. Then it is stored whatever is stored now. */
  readonly isForced: boolean;
}

/** Number of closes that are sent together. */
const closesPerFlush = 5_000;

/** The prices of a close, as columns. */
const priceColumns = ['close', 'volume', 'open', 'high', 'low'] as const;

/** Everything that a close has beside its day. */
const valueColumns = [...priceColumns, 'source'];

/** The columns of a close that is to be stored. */
export const closeColumns: Columns = {
  day: 'integer',
  close: 'real?',
  volume: 'real?',
  open: 'real?',
  high: 'real?',
  low: 'real?',
  source: 'text?',
};

const stagedColumns: Columns = {
  ticker: 'text',
  ...closeColumns,
  is_forced: 'integer',
  seen: 'integer',
  ...Object.fromEntries(
    valueColumns.map((name) => [`seen_${name}`, closeColumns[name] ?? 'text?']),
  ),
};

const columnTexts = Object.entries(stagedColumns).map(([name, type]) => {
  const { name: own } = typeOf(type);
  return `${name} ${own}${own === 'text' ? ' COLLATE "C"' : ''}`;
});

const createText = `
  CREATE TEMPORARY TABLE IF NOT EXISTS staged_closes (
    ${columnTexts.join(', ')}, PRIMARY KEY (ticker, day)
  ) ON COMMIT DELETE ROWS`;

const prefixed = (prefix: string): string =>
  valueColumns.map((column) => `${prefix}${column}`).join(', ');

/** A close that differs from the staged one replaces it. What was seen stays as it is. */
const putTail = `
  ON CONFLICT (ticker, day) DO UPDATE SET
    ${valueColumns.map((column) => `${column} = excluded.${column}`).join(', ')}, is_forced = 1
  WHERE (${prefixed('staged_closes.')}) IS DISTINCT FROM (${prefixed('excluded.')})`;

/**
 * The closes that a transaction has put, in a temporary table of its session. They reach the real table with
 * the last statement of the transaction only. So a long import locks no row that the writer needs.
 */
export class StagedCloses {
  readonly #sql: PgTransaction;
  readonly #waiting = new Map<string, StagedClose>();
  readonly #waitingTickers = new Set<Ticker>();

  constructor(sql: PgTransaction) {
    this.#sql = sql;
  }

  /** Creates the table, unless an earlier transaction of the session has. */
  async begin(): Promise<void> {
    await this.#sql.all(createText);
  }

  /** Adds a close. `flush` sends it. */
  put(ticker: Ticker, close: CloseRow, seen: SeenClose): void {
    const key = `${ticker}\n${close[0]}`;
    const held = this.#waiting.get(key);
    if (held !== undefined && isDeepStrictEqual(held.close, close)) return;
    const isForced = held !== undefined;
    this.#waiting.set(key, { ticker, close, seen: held?.seen ?? seen, isForced });
    this.#waitingTickers.add(ticker);
  }

  get isFull(): boolean {
    return this.#waiting.size >= closesPerFlush;
  }

  /** Whether closes of an instrument have not been sent. */
  isWaiting(ticker: Ticker): boolean {
    return this.#waitingTickers.has(ticker);
  }

  async flush(): Promise<void> {
    const rows = Array.from(this.#waiting.values(), ({ ticker, close, seen, isForced }) => {
      const values = typeof seen === 'string' ? valueColumns.map(() => null) : seen.slice(1);
      const known = seen === 'unread' ? 0 : seen === 'none' ? 1 : 2;
      return [ticker, ...close, isForced ? 1 : 0, known, ...values];
    });
    this.#waiting.clear();
    this.#waitingTickers.clear();
    await this.#sql.insert('staged_closes', stagedColumns, rows, putTail);
  }
}

const list = (prefix: string): string =>
  priceColumns.map((column) => `${prefix}${column}`).join(', ');

/** Whether two closes differ in a value or in the source. */
export const closesDiffer = `(${list('held.')}, held.source_id) IS DISTINCT FROM (${list('excluded.')}, excluded.source_id)`;

/** Sets all values of a close, its source and its change included. */
export const replaceClose = [...priceColumns, 'source_id', 'change_id']
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

/** Increments the revision of closes and marks the instruments in `ids`. Both locks are held to the end. */
export const raiseCloses = `
  raised AS (
    UPDATE revisions SET value = value + 1
    WHERE subject = 'closes' AND (SELECT count(*) FROM ids) > 0
    RETURNING value
  ), marked AS (
    UPDATE instruments SET closes_revision = raised.value
    FROM raised WHERE id IN (SELECT instrument_id FROM ids)
  )`;

/** A new id for the change that a statement makes. */
export const newChange = `
  change AS MATERIALIZED (SELECT nextval(pg_get_serial_sequence('changes', 'id'))::integer AS id)`;

/** Notes the change, if closes of the instruments in `ids` have changed. */
export const noteChange = (at: string, origin: string): string => `
  noted AS (
    INSERT INTO changes (id, at, origin)
    SELECT change.id, ${at}::bigint, ${origin}::text FROM change WHERE EXISTS (SELECT FROM ids)
  )`;

/**
 * Gives an id to each new instrument and each new source of a relation. Nothing is lost when it is done in vain.
 *
 * @param name the name of the relation, whose columns are `ticker` and `source`.
 */
export const addNames = (relation: string, name: string): string => `
  WITH tickers AS (
    INSERT INTO instruments (ticker)
    SELECT DISTINCT ticker FROM ${relation}
    WHERE NOT EXISTS (SELECT FROM instruments WHERE instruments.ticker = ${name}.ticker)
    ORDER BY ticker ON CONFLICT DO NOTHING
  )
  INSERT INTO sources (name)
  SELECT DISTINCT source FROM ${relation}
  WHERE source IS NOT NULL AND NOT EXISTS (SELECT FROM sources WHERE name = ${name}.source)
  ORDER BY source ON CONFLICT DO NOTHING`;

/** The staged row of the close that conflicts with a stored one. */
const stagedRow = `
  FROM staged_closes AS staged
  JOIN instruments ON instruments.ticker = staged.ticker
  WHERE instruments.id = excluded.instrument_id AND staged.day = excluded.day`;

/**
 * Moves the staged closes to the real table. It is the last statement of the transaction: rows are locked
 * from here on, always in the order of instrument and day, then the counter, then the instruments.
 *
 * Closes that are equal are left out: a conflict would lock their rows, and the commits of the writer would wait
 * for them. A close that another process has changed since this transaction read it ends the transaction. Otherwise the
 * decision to replace it would be based on a value that does not exist any more.
 *
 * $1: the channel of notifications. $2 and $3: the instant and the origin of the change.
 */
export const mergeCloses: Statement = {
  text: `
    WITH ${newChange}, merged AS (
      INSERT INTO closes AS held (instrument_id, day, ${list('')}, source_id, change_id)
      SELECT instruments.id, staged.day, ${list('staged.')}, sources.id, (SELECT id FROM change)
      FROM staged_closes AS staged
      JOIN instruments ON instruments.ticker = staged.ticker
      LEFT JOIN sources ON sources.name = staged.source
      LEFT JOIN closes AS stored ON stored.instrument_id = instruments.id AND stored.day = staged.day
      WHERE stored.day IS NULL OR staged.is_forced = 1 OR (${list('stored.')}, stored.source_id) IS DISTINCT FROM (${list('staged.')}, sources.id)
      ORDER BY instruments.id, staged.day
      ON CONFLICT (instrument_id, day) DO UPDATE SET ${replaceClose}
      WHERE (
        ${closesDiffer} OR (SELECT staged.is_forced = 1 ${stagedRow})
      ) AND (
        SELECT CASE
          WHEN staged.seen = 1 THEN changed_meanwhile(staged.ticker, staged.day)
          WHEN staged.seen = 2 AND (${list('held.')}, (SELECT name FROM sources WHERE id = held.source_id))
            IS DISTINCT FROM (${list('staged.seen_')}, staged.seen_source)
            THEN changed_meanwhile(staged.ticker, staged.day)
          ELSE true
        END
        ${stagedRow}
      )
      RETURNING instrument_id
    ), ids AS (
      SELECT DISTINCT instrument_id FROM merged
    ), ${noteChange('$2', '$3')}, ${raiseCloses}
    SELECT (SELECT count(pg_notify($1, 'closes')) FROM raised)`,
};
