import { isDeepStrictEqual } from 'node:util';

import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { float8Array, int4Array, textArray } from '../session/binary-arrays.ts';
import type { Session } from '../session/session.ts';

/**
 * What a transaction knows of the stored close that it replaces: `unread`, `none`, or its values. Numbers
 * stand for them in the table.
 */
export type SeenClose = 'unread' | 'none' | DailyClose;

/** A close that is to be stored. */
interface StagedClose {
  readonly ticker: Ticker;
  readonly close: DailyClose;
  readonly seen: SeenClose;
  /** Whether it replaces a different close of this transaction. Then it is stored whatever is stored now. */
  readonly isForced: boolean;
}

/** Number of closes that are sent together. */
const closesPerFlush = 5_000;

/** The prices of a close, as columns. */
export const priceColumns = ['close', 'volume', 'open', 'high', 'low'] as const;

/** Everything that a close has beside its day. */
const valueColumns = [...priceColumns, 'source'];

const seenColumns = valueColumns.map((column) => `seen_${column}`);

const createText = `
  CREATE TEMPORARY TABLE IF NOT EXISTS staged_closes (
    ticker text COLLATE "C" NOT NULL,
    day integer NOT NULL,
    ${priceColumns.map((column) => `${column} double precision`).join(', ')},
    source text COLLATE "C",
    is_forced boolean NOT NULL,
    seen integer NOT NULL,
    ${priceColumns.map((column) => `seen_${column} double precision`).join(', ')},
    seen_source text COLLATE "C",
    PRIMARY KEY (ticker, day)
  ) ON COMMIT DELETE ROWS`;

const stagedColumns = ['ticker', 'day', ...priceColumns, 'source', 'is_forced', 'seen'];

const putText = `
  INSERT INTO staged_closes AS held (${[...stagedColumns, ...seenColumns].join(', ')})
  SELECT ticker, day, ${priceColumns.join(', ')}, source, is_forced <> 0, seen, ${seenColumns.join(', ')}
  FROM unnest($1::text[], $2::integer[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[],
    $8::text[], $9::integer[], $10::integer[], $11::float8[], $12::float8[], $13::float8[], $14::float8[],
    $15::float8[], $16::text[]) AS put (${[...stagedColumns, ...seenColumns].join(', ')})
  ON CONFLICT (ticker, day) DO UPDATE SET
    ${valueColumns.map((column) => `${column} = excluded.${column}`).join(', ')},
    is_forced = true
  WHERE (${valueColumns.map((column) => `held.${column}`).join(', ')})
    IS DISTINCT FROM (${valueColumns.map((column) => `excluded.${column}`).join(', ')})`;

/**
 * The closes that a transaction has put, in a temporary table of its session. They reach the real table with
 * the last statement of the transaction only. So a long import locks no row that the writer needs.
 */
export class StagedCloses {
  readonly #session: Session;
  readonly #waiting = new Map<string, StagedClose>();
  readonly #waitingTickers = new Set<Ticker>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Creates the table, unless an earlier transaction of the session has. */
  async begin(): Promise<void> {
    await this.#session.query({ text: createText });
  }

  /** Adds a close. `flush` sends it. */
  put(ticker: Ticker, close: DailyClose, seen: SeenClose): void {
    const key = `${ticker}\n${close.day}`;
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
    const rows = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#waitingTickers.clear();
    if (rows.length === 0) return;
    const prices = (of: (row: StagedClose) => Partial<DailyClose>): readonly Buffer[] =>
      priceColumns.map((column) => float8Array(rows.map((row) => of(row)[column] ?? null)));
    await this.#session.query({ name: 'stage-closes', text: putText }, [
      textArray(rows.map(({ ticker }) => ticker)),
      int4Array(rows.map(({ close }) => close.day)),
      ...prices(({ close }) => close),
      textArray(rows.map(({ close }) => close.source ?? null)),
      int4Array(rows.map(({ isForced }) => (isForced ? 1 : 0))),
      int4Array(rows.map(({ seen }) => (seen === 'unread' ? 0 : seen === 'none' ? 1 : 2))),
      ...prices(({ seen }) => (typeof seen === 'string' ? {} : seen)),
      textArray(rows.map(({ seen }) => (typeof seen === 'string' ? null : (seen.source ?? null)))),
    ]);
  }
}
