import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { damaged } from '../../contract/store-fault.ts';
import type { StoredCloseRow } from '../../encoding/close-row.ts';
import type { DayRange } from '../../contract/history-store.ts';
import { historySql } from '../rows/history-sql.ts';
import {
  addReplaced,
  blockOf,
  emptySeal,
  firstDayOf,
  hashOfPrices,
  lastDayOf,
  RestHash,
  type SealedReplacedClose,
} from './close-hash.ts';
import { addHash } from './row-hash.ts';

/** Day, close and volume of a close. */
export type PriceRow = readonly [day: number, close: number, volume: number | null];

/** A close that another one has replaced, as a row of {@link historySql.replaced}. */
export type ReplacedCloseRow = readonly [...StoredCloseRow, position: number, replacedBy: number];

/** A row of {@link historySql.seals}. */
type SealRow = readonly [
  block: number,
  rows: number,
  prices: number,
  rest: number,
  replacedRows: number,
  replaced: number,
];

/** No day of a calendar is outside these. */
const firstDay = -(2 ** 30);
const lastDay = 2 ** 30;

/**
 * Reads closes through one connection, and compares them with their seals. A damaged page may make SQLite
 * return fewer rows, other rows, or rows in another order, without an error. Rows and seals are in different
 * pages, so a damaged page never affects both in the same way.
 *
 * The caller reads within one {@link Snapshot}. Every method throws a StoreFault `corrupt` when rows differ
 * from their seal.
 */
export class VerifiedCloses {
  readonly #path: string;
  readonly #ids: StatementSync;
  readonly #series: StatementSync;
  readonly #rows: StatementSync;
  readonly #replaced: StatementSync;
  readonly #lastBefore: StatementSync;
  readonly #seals: StatementSync;
  readonly #rest = new RestHash();

  constructor(database: DatabaseSync, path: string) {
    this.#path = path;
    this.#ids = database.prepare(historySql.ids);
    this.#series = database.prepare(historySql.series);
    this.#rows = database.prepare(historySql.rows);
    this.#replaced = database.prepare(historySql.replaced);
    this.#lastBefore = database.prepare(historySql.lastBefore);
    this.#seals = database.prepare(historySql.seals);
  }

  /** The id of an instrument. Undefined if nothing is stored of it. */
  idOf(ticker: Ticker): number | undefined {
    const [id, sealed] = this.#ids.get(ticker) as unknown as readonly (number | null)[];
    if (id !== sealed)
      throw this.#damaged(`the instrument ${ticker} is not found as it was stored`);
    return id ?? undefined;
  }

  /** Day, close and volume of the closes in a range, ascending. */
  prices(id: number, range: DayRange): readonly PriceRow[] {
    const [from, to] = wholeBlocks(range);
    const rows = this.#series.all(id, from, to) as unknown as readonly PriceRow[];
    this.#compare(id, [from, to], rows, undefined);
    return within(rows, range);
  }

  /** The closes in a range, ascending. */
  rows(id: number, range: DayRange): readonly StoredCloseRow[] {
    const [from, to] = wholeBlocks(range);
    const rows = this.#rows.all(id, from, to) as unknown as readonly StoredCloseRow[];
    this.#compare(id, [from, to], rows, (row) => this.#hashOfRest(row));
    return within(rows, range);
  }

  /**
   * Compares all closes with their seals, and calls `each` with the change of each close. It holds one row at a
   * time: rows that are read together outlive V8's small young generation, and the garbage piles up.
   */
  verifyAll(id: number, each: (change: number) => void): void {
    const days = [firstDayOf(blockOf(firstDay)), lastDayOf(blockOf(lastDay))] as const;
    const rows = this.#rows.iterate(id, ...days) as unknown as Iterable<StoredCloseRow>;
    this.#compare(id, days, rows, (row) => {
      each(row[7]);
      return this.#hashOfRest(row);
    });
  }

  /** The closes in a range that others have replaced, ascending by day and position. */
  replaced(id: number, range: DayRange): readonly ReplacedCloseRow[] {
    const [from, to] = wholeBlocks(range);
    const rows = this.#replaced.all(id, from, to) as unknown as readonly ReplacedCloseRow[];
    const found = emptySeal();
    for (const row of rows) addReplaced(found, this.#rest, toSealed(row));
    const sealed = emptySeal();
    const seals = this.#seals.all(id, blockOf(from), blockOf(to)) as unknown as readonly SealRow[];
    for (const [, , , , count, hash] of seals) {
      sealed.replacedRows += count;
      sealed.replaced = addHash(sealed.replaced, hash);
    }
    if (found.replacedRows === sealed.replacedRows && found.replaced === sealed.replaced) {
      return within(rows, range);
    }
    throw this.#damaged(
      `${found.replacedRows} replaced closes of instrument ${id} are not the ${sealed.replacedRows} that were stored`,
    );
  }

  /** The range from the last close before a day up to that day. No close is before the day if it has none. */
  rangeOfLast(id: number, before: number): DayRange {
    const row = this.#lastBefore.get(id, Math.min(before, lastDay));
    const [day = firstDay] = (row ?? []) as readonly number[];
    // If the close was not the last one, the seals of the range have more rows.
    return { from: day, to: Math.min(before, lastDay) - 1 } as DayRange;
  }

  #compare<Row extends PriceRow | StoredCloseRow>(
    id: number,
    [from, to]: readonly [number, number],
    rows: Iterable<Row>,
    /** The hash of the fields that a series of prices does not have. */
    hashRest: ((row: Row) => number) | undefined,
  ): void {
    const found = this.#seals.all(id, blockOf(from), blockOf(to));
    const seals = (found as unknown as readonly SealRow[]).values();
    let last = firstDay - 1;
    let end = firstDay - 1;
    let [count, prices, rest] = [0, 0, 0];
    let seal: SealRow | undefined;
    const finish = (): void => {
      if (seal === undefined && count === 0) return;
      const [block = 0, sealedCount, sealedPrices, sealedRest] = seal ?? [];
      const isRestSame = hashRest === undefined || rest === sealedRest;
      if (count === sealedCount && prices === sealedPrices && isRestSame) return;
      throw this.#damaged(
        `${count} closes from day ${firstDayOf(block)} on of instrument ${id} are not the ${sealedCount} that were stored`,
      );
    };
    for (const row of rows) {
      const [day] = row;
      if (day <= last) throw this.#damaged(`the closes of instrument ${id} are not in order`);
      last = day;
      if (day > end) {
        finish();
        seal = seals.next().value;
        const block = blockOf(day);
        end = lastDayOf(block);
        [count, prices, rest] = [0, 0, 0];
        if (seal?.[0] !== block) {
          throw this.#damaged(
            `closes of instrument ${id} around day ${day} are missing, or not its own`,
          );
        }
      }
      count += 1;
      prices = addHash(prices, hashOfPrices(day, row[1], row[2]));
      if (hashRest !== undefined) rest = addHash(rest, hashRest(row));
    }
    finish();
    const missing: SealRow | undefined = seals.next().value;
    if (missing === undefined) return;
    const day = firstDayOf(missing[0]);
    throw this.#damaged(`closes of instrument ${id} from day ${day} on are missing`);
  }

  #hashOfRest([day, , , open, high, low, source, change]: StoredCloseRow): number {
    return this.#rest.of({ day, open, high, low, source, change });
  }

  #damaged(reason: string): Error {
    return damaged(this.#path, reason);
  }
}

/** The sealed fields of a row. */
export function toSealed(row: ReplacedCloseRow): SealedReplacedClose {
  const [day, close, volume, open, high, low, source, change, position, replacedBy] = row;
  return { day, close, volume, open, high, low, source, change, position, replacedBy };
}

/** The first and the last day of the blocks that a range is in. */
function wholeBlocks({ from, to }: DayRange): readonly [number, number] {
  const first = Math.max(from, firstDay);
  const last = Math.min(to, lastDay);
  return [firstDayOf(blockOf(first)), lastDayOf(blockOf(last))];
}

function within<Row extends readonly [number, ...unknown[]]>(
  rows: readonly Row[],
  { from, to }: DayRange,
): readonly Row[] {
  const isWhole = (rows[0]?.[0] ?? from) >= from && (rows.at(-1)?.[0] ?? to) <= to;
  return isWhole ? rows : rows.filter(([day]) => day >= from && day <= to);
}
