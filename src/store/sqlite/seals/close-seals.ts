import { isDeepStrictEqual } from 'node:util';

import { remembered } from '../../../lib/results/remembered.ts';
import type { StoreChange } from '../../../domain/changes/version.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { DayRange } from '../../contract/history-store.ts';
import { damaged } from '../../contract/store-fault.ts';
import type { ReplacedCloseRow, StoredCloseRow } from '../../encoding/close-row.ts';
import type { Row } from '../../sql/sql.ts';
import type { SqliteConnection } from '../file/connection.ts';
import {
  blockOf,
  firstDayOf,
  hashOfPrices,
  hashOfReplaced,
  hashOfRest,
  lastDayOf,
} from './close-hash.ts';
import { addHash, sealOfChange } from './row-hash.ts';

/** The statements that read seals, and the closes that are sealed together with those that were read. */
export const sealSql = {
  ids: `
    SELECT (SELECT id FROM instruments WHERE ticker = $1),
      (SELECT id FROM instrument_seals WHERE ticker = $1)`,

  series: `
    SELECT day, close, volume FROM closes
    WHERE instrument_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day`,

  closes: `
    SELECT day, close, volume, open, high, low, sources.name, change_id
    FROM closes LEFT JOIN sources ON sources.id = source_id
    WHERE instrument_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day`,

  replaced: `
    SELECT day, close, volume, open, high, low, sources.name, change_id, position, replaced_by
    FROM replaced_closes LEFT JOIN sources ON sources.id = source_id
    WHERE instrument_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day, position`,

  lastReplaced: `
    SELECT day, close, volume, open, high, low, sources.name, change_id, position, replaced_by
    FROM replaced_closes LEFT JOIN sources ON sources.id = source_id
    WHERE instrument_id = $1 AND day = $2 ORDER BY position DESC LIMIT 1`,

  seals: `
    SELECT block, rows, prices, rest, replaced_rows, replaced FROM close_seals
    WHERE instrument_id = $1 AND block BETWEEN $2 AND $3 ORDER BY block`,

  change: 'SELECT at, origin, seal FROM changes WHERE id = $1',

  changed: `
    SELECT ticker FROM instrument_seals WHERE closes_revision > $1 ORDER BY closes_revision, ticker`,
} as const;

/** Day, close and volume of a close, and nothing else or all other columns. */
type SeriesRow = readonly [day: number, close: number, volume: number | null, ...Row];

/** A row of {@link sealSql.seals}. */
type SealRow = readonly [
  block: number,
  rows: number,
  prices: number,
  rest: number,
  replacedRows: number,
  replaced: number,
];

/** A change as it is stored. */
type Stored = readonly [at: StoreChange['at'], origin: StoreChange['origin']];

/** Maximum number of cached changes. Then the cache is cleared, and they are read again. */
const changesMax = 10_000;

/** No day of a calendar is outside these. */
const firstDay = -(2 ** 30);
const lastDay = 2 ** 30 - 1;

/**
 * Compares closes with their seals. A damaged page may make SQLite return fewer rows, other rows, or rows in another
 * order, without an error. Rows and seals are in different pages, so a damaged page never affects both in the same way.
 *
 * The caller reads within one snapshot. Every method throws a StoreFault `corrupt` when rows differ from their seal.
 */
export class CloseSeals {
  protected readonly connection: SqliteConnection;
  readonly #changes = remembered(changesMax, (id: number) => this.#changeOf(id));

  constructor(connection: SqliteConnection) {
    this.connection = connection;
  }

  /** The id of an instrument. Undefined if nothing is stored of it. */
  idOf(ticker: Ticker): number | undefined {
    const [[id, sealed] = []] = this.connection.all<readonly (number | null)[]>(sealSql.ids, [
      ticker,
    ]);
    if (id !== sealed) {
      throw this.damaged(`the instrument ${ticker} is not found as it was stored`);
    }
    return id ?? undefined;
  }

  /** The id of an instrument. A new one gets an id, within the transaction of the caller. */
  idOfAny(ticker: Ticker): number {
    const known = this.idOf(ticker);
    if (known !== undefined) return known;
    const [[id] = [0]] = this.connection.all<readonly [number]>(
      'INSERT INTO instruments (ticker) VALUES ($1) RETURNING id',
      [ticker],
    );
    this.connection.all('INSERT INTO instrument_seals (ticker, id) VALUES ($1, $2)', [ticker, id]);
    return id;
  }

  /** The closes of an instrument in a range. The other closes of the blocks that the range begins or ends in are read. */
  closes(ticker: Ticker, range: DayRange, rows: readonly Row[]): void {
    const id = this.idOf(ticker);
    if (id === undefined || range.from > range.to) return this.#requireNone(ticker, rows);
    const given = rows as readonly SeriesRow[];
    const isWhole = given[0] !== undefined && given[0].length > 3;
    const text = isWhole ? sealSql.closes : sealSql.series;
    const [from, to] = wholeBlocks(range);
    const others = (first: number, last: number): readonly SeriesRow[] =>
      first > last ? [] : this.connection.all<SeriesRow>(text, [id, first, last]);
    const [before, after] = [others(from, range.from - 1), others(range.to + 1, to)];
    const isAll = before.length + after.length === 0;
    this.#compare(id, [from, to], {
      rows: isAll ? given : [...before, ...given, ...after],
      isWhole,
    });
  }

  /** The closes of an instrument in a range that others have replaced, ascending by day and position. */
  replaced(ticker: Ticker, range: DayRange, rows: readonly Row[]): void {
    const id = this.idOf(ticker);
    if (id === undefined || range.from > range.to) return this.#requireNone(ticker, rows);
    const [from, to] = wholeBlocks(range);
    this.#compareReplaced(
      id,
      [from, to],
      [
        ...this.#replacedOf(id, from, range.from - 1),
        ...(rows as unknown as readonly ReplacedCloseRow[]),
        ...this.#replacedOf(id, range.to + 1, to),
      ],
    );
  }

  /**
   * The closes of an instrument and their memory, which are read here. It holds one close at a time: rows that are read
   * together outlive V8's small young generation, and the garbage piles up.
   *
   * @returns the instant of the first change that stored one of them
   */
  history(ticker: Ticker): number | undefined {
    const id = this.idOf(ticker);
    if (id === undefined) return undefined;
    const rows = this.connection.statement(sealSql.closes, 3).iterate(id, firstDay, lastDay);
    const changes = new Set<number>();
    this.#compare(id, [firstDay, lastDay], {
      rows: rows as unknown as Iterable<SeriesRow>,
      isWhole: true,
      each: (row) => changes.add((row as unknown as StoredCloseRow)[7]),
    });
    const replaced = this.#replacedOf(id, firstDay, lastDay);
    this.#compareReplaced(id, [firstDay, lastDay], replaced);
    for (const row of replaced) {
      changes.add(row[7]);
      this.#changes(row[9]);
    }
    let first: number | undefined;
    for (const change of changes) {
      const { at } = this.#changes(change);
      if (first === undefined || at < first) first = at;
    }
    return first;
  }

  /** A change is never altered once its transaction is committed. */
  change(id: number, { at, origin }: StoreChange): void {
    const known = this.#changes(id);
    if (known.at !== at || known.origin !== origin) {
      throw this.damaged(`the change ${id} is not found as it was stored`);
    }
  }

  /** The instruments whose closes changed after a revision. */
  changed(revision: number, tickers: readonly Ticker[]): void {
    const sealed = this.connection.all<readonly [Ticker]>(sealSql.changed, [revision]);
    if (isDeepStrictEqual(tickers, sealed.flat())) return;
    throw this.damaged('instruments whose closes have changed are missing');
  }

  #changeOf(id: number): StoreChange {
    const [row] = this.connection.all<readonly [...Stored, seal: number]>(sealSql.change, [id]);
    const [at, origin, seal] = row ?? [];
    if (at === undefined || origin === undefined || seal !== sealOfChange([id, at, origin])) {
      throw this.damaged(`the change ${id} is not found as it was stored`);
    }
    return { at, origin };
  }

  #replacedOf(id: number, first: number, last: number): readonly ReplacedCloseRow[] {
    if (first > last) return [];
    return this.connection.all<ReplacedCloseRow>(sealSql.replaced, [id, first, last]);
  }

  #sealsOf(id: number, [from, to]: readonly [number, number]): readonly SealRow[] {
    return this.connection.all<SealRow>(sealSql.seals, [id, blockOf(from), blockOf(to)]);
  }

  /** Refuses any row of an instrument without stored closes, and any row of an empty range. */
  #requireNone(ticker: Ticker, rows: readonly Row[]): void {
    if (rows.length > 0) throw this.damaged(`${rows.length} closes of ${ticker} are not its own`);
  }

  #compareReplaced(
    id: number,
    days: readonly [number, number],
    rows: readonly ReplacedCloseRow[],
  ): void {
    let [count, sum] = [0, 0];
    for (const seal of this.#sealsOf(id, days)) {
      count += seal[4];
      sum = addHash(sum, seal[5]);
    }
    if (rows.length === count && rows.map(hashOfReplaced).reduce(addHash, 0) === sum) return;
    throw this.damaged(
      `${rows.length} replaced closes of instrument ${id} are not the ${count} that were stored`,
    );
  }

  /** @param own.isWhole whether the rows have the fields that a series of prices does not have. */
  #compare(
    id: number,
    days: readonly [number, number],
    own: {
      readonly rows: Iterable<SeriesRow>;
      readonly isWhole: boolean;
      readonly each?: (row: SeriesRow) => void;
    },
  ): void {
    const seals = this.#sealsOf(id, days).values();
    let last = firstDay - 1;
    let end = firstDay - 1;
    let [count, prices, rest] = [0, 0, 0];
    let seal: SealRow | undefined;
    const finish = (): void => {
      if (seal === undefined && count === 0) return;
      const [block = 0, sealedCount, sealedPrices, sealedRest] = seal ?? [];
      const isRestSame = !own.isWhole || rest === sealedRest;
      if (count === sealedCount && prices === sealedPrices && isRestSame) return;
      throw this.damaged(
        `${count} closes from day ${firstDayOf(block)} on of instrument ${id} are not the ${sealedCount} that were stored`,
      );
    };
    for (const row of own.rows) {
      const [day] = row;
      own.each?.(row);
      if (day <= last) throw this.damaged(`the closes of instrument ${id} are not in order`);
      last = day;
      if (day > end) {
        finish();
        seal = seals.next().value;
        const block = blockOf(day);
        end = lastDayOf(block);
        [count, prices, rest] = [0, 0, 0];
        if (seal?.[0] !== block) {
          throw this.damaged(
            `closes of instrument ${id} around day ${day} are missing, or not its own`,
          );
        }
      }
      count += 1;
      prices = addHash(prices, hashOfPrices(row));
      if (own.isWhole) rest = addHash(rest, hashOfRest(row as unknown as StoredCloseRow));
    }
    finish();
    const missing: SealRow | undefined = seals.next().value;
    if (missing === undefined) return;
    const day = firstDayOf(missing[0]);
    throw this.damaged(`closes of instrument ${id} from day ${day} on are missing`);
  }

  protected damaged(reason: string): Error {
    return damaged(this.connection.where, reason);
  }
}

/** The first and the last day of the blocks that a range is in. */
function wholeBlocks({ from, to }: DayRange): readonly [number, number] {
  return [firstDayOf(blockOf(Math.max(from, firstDay))), lastDayOf(blockOf(Math.min(to, lastDay)))];
}
