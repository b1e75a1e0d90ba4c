import { remembered } from '../../../lib/results/remembered.ts';
import type { ReplacedCloseRow, StoredCloseRow } from '../../encoding/close-row.ts';
import type { SqliteConnection } from '../file/connection.ts';
import { addHash, hashNumbers, hashText } from './row-hash.ts';

/** Days of a block. A block of a series is read and verified as a whole. */
const blockDaysLog2 = 6;

/** The block of a day. */
export function blockOf(day: number): number {
  return day >> blockDaysLog2;
}

/** The first day of a block. */
export function firstDayOf(block: number): number {
  return block * 2 ** blockDaysLog2;
}

/** The last day of a block. */
export function lastDayOf(block: number): number {
  return firstDayOf(block + 1) - 1;
}

/** The hash of the fields that a series has: day, close and volume. By index, because this is called for each close. */
export function hashOfPrices(
  row: readonly [day: number, close: number, volume: number | null, ...unknown[]],
): number {
  return hashNumbers(row[0], row[1], row[2]);
}

/** Maximum number of cached sources. */
const sourcesMax = 1_000;

const hashOfSource = remembered(sourcesMax, (source: string | null) =>
  source === null ? null : hashText(source),
);

/** The hash of the other fields: day, open, high, low, source and the id of the change. */
export function hashOfRest(row: readonly [...StoredCloseRow, ...unknown[]]): number {
  return hashNumbers(row[0], row[3], row[4], row[5], hashOfSource(row[6]), row[7]);
}

/** The hash of a close that another one has replaced. */
export function hashOfReplaced(row: ReplacedCloseRow): number {
  return hashNumbers(hashOfPrices(row), hashOfRest(row), row[8], row[9]);
}

/** What is known of the closes of one block, apart from the closes: their number and sums of their hashes. */
interface CloseSeal {
  rows: number;
  prices: number;
  rest: number;
  replacedRows: number;
  replaced: number;
}

/** What a transaction changes in the seals of an instrument. */
export class SealChanges {
  readonly #blocks = new Map<number, CloseSeal>();

  get areNone(): boolean {
    return this.#blocks.size === 0;
  }

  /** Adds a close, or takes one out. */
  put(row: StoredCloseRow, times: 1 | -1): void {
    const seal = this.#of(row[0]);
    seal.rows += times;
    seal.prices = addHash(seal.prices, times * hashOfPrices(row));
    seal.rest = addHash(seal.rest, times * hashOfRest(row));
  }

  /** Adds a close that another one has replaced, or takes one out. */
  putReplaced(row: ReplacedCloseRow, times: 1 | -1): void {
    const seal = this.#of(row[0]);
    seal.replacedRows += times;
    seal.replaced = addHash(seal.replaced, times * hashOfReplaced(row));
  }

  store(connection: SqliteConnection, id: number): void {
    const statement = connection.statement(
      `INSERT INTO close_seals (instrument_id, block, rows, prices, rest, replaced_rows, replaced)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (instrument_id, block) DO UPDATE SET rows = rows + excluded.rows,
        prices = (prices + excluded.prices) & 4294967295, rest = (rest + excluded.rest) & 4294967295,
        replaced_rows = replaced_rows + excluded.replaced_rows,
        replaced = (replaced + excluded.replaced) & 4294967295`,
      7,
    );
    for (const [block, { rows, prices, rest, replacedRows, replaced }] of this.#blocks) {
      statement.run(id, block, rows, prices, rest, replacedRows, replaced);
    }
  }

  #of(day: number): CloseSeal {
    const block = blockOf(day);
    let seal = this.#blocks.get(block);
    if (seal === undefined) {
      seal = { rows: 0, prices: 0, rest: 0, replacedRows: 0, replaced: 0 };
      this.#blocks.set(block, seal);
    }
    return seal;
  }
}
