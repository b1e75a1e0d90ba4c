import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import { damaged } from '../../contract/store-fault.ts';
import { barSql, numberOf } from '../rows/stored-bars.ts';
import { addHash, hashNumbers, removeHash } from './row-hash.ts';

/** Minutes of a block. The bars of a block are read and verified together. */
const blockMinutesLog2 = 6;

/** The first minute of the block of a minute. */
export function firstOfBlock(minute: number): number {
  return Math.floor(minute / 2 ** blockMinutesLog2) * 2 ** blockMinutesLog2;
}

function blockOf(minute: number): number {
  return firstOfBlock(minute) / 2 ** blockMinutesLog2;
}

function hashOfBar({ minute, open, high, low, last, volume }: Bar): number {
  return hashNumbers(minute, open, high, low, last, volume);
}

/**
 * The seals of the bars of an instrument: for each block of minutes of a day, the number of bars and the sum of
 * their hashes. They cover the bars wherever they are stored, so packing does not change them.
 */
export class BarSeals {
  readonly #path: string;
  readonly #firstDay: StatementSync;
  readonly #firstBlock: StatementSync;
  readonly #lastBlock: StatementSync;
  readonly #read: StatementSync;

  constructor(database: DatabaseSync, path: string) {
    this.#path = path;
    this.#firstDay = database.prepare(barSql.firstSealedDay);
    this.#firstBlock = database.prepare(barSql.firstBlock);
    this.#lastBlock = database.prepare(barSql.lastBlock);
    this.#read = database.prepare(barSql.seals);
  }

  /**
   * Compares the bars of an instrument on the days of a range with their seals.
   *
   * @param bars in the order of their minutes, those of whole blocks from `sinceMinute` on.
   * @throws StoreFault `corrupt`
   */
  verify(
    id: number,
    {
      from,
      to,
      sinceMinute,
    }: { readonly from: number; readonly to: number; readonly sinceMinute: number },
    bars: readonly Bar[],
  ): void {
    const found = new Map<string, { rows: number; hash: number }>();
    for (const bar of bars) {
      const key = `${bar.day} ${blockOf(bar.minute)}`;
      const sum = found.get(key) ?? { rows: 0, hash: 0 };
      found.set(key, sum);
      sum.rows += 1;
      sum.hash = addHash(sum.hash, hashOfBar(bar));
    }
    for (const day of this.#days(from, to)) {
      for (const [block, rows, hash] of this.#sealsOf(id, day, sinceMinute)) {
        const key = `${day} ${block}`;
        const sum = found.get(key);
        found.delete(key);
        if (sum?.rows === rows && sum.hash === hash) continue;
        throw damaged(
          this.#path,
          `${sum?.rows ?? 0} bars of instrument ${id} on day ${day} are not the ${rows} that were stored`,
        );
      }
    }
    for (const [key, { rows }] of found) {
      throw damaged(this.#path, `${rows} bars of instrument ${id} in block ${key} have no seal`);
    }
  }

  #days(from: number, to: number): readonly number[] {
    const days: number[] = [];
    let day = numberOf(this.#firstDay.get(from));
    while (day !== undefined && day <= to) {
      days.push(day);
      day = numberOf(this.#firstDay.get(day + 1));
    }
    return days;
  }

  /** The blocks of a day that any instrument has. Undefined for none. */
  blocksOf(day: number): readonly [first: number, last: number] | undefined {
    const from = numberOf(this.#firstBlock.get(day));
    const to = numberOf(this.#lastBlock.get(day));
    return from === undefined || to === undefined ? undefined : [from, to];
  }

  #sealsOf(id: number, day: number, sinceMinute: number): readonly SealRow[] {
    const blocks = this.blocksOf(day);
    if (blocks === undefined) return [];
    const from = Math.max(
      blocks[0],
      Number.isFinite(sinceMinute) ? blockOf(sinceMinute) : -Infinity,
    );
    return this.#read.all(from, blocks[1], day, id) as unknown as readonly SealRow[];
  }
}

type SealRow = readonly [block: number, rows: number, hash: number];

/** Changes the seals of bars, within the transaction of the caller. */
export class BarSealWriter {
  readonly #seals: BarSeals;
  readonly #change: StatementSync;
  readonly #add: StatementSync;
  readonly #remove: StatementSync;
  readonly #removeAll: StatementSync;

  constructor(database: DatabaseSync, path: string) {
    this.#seals = new BarSeals(database, path);
    this.#change = database.prepare(`
      UPDATE bar_seals SET rows = rows + ?, hash = (hash + ?) & 4294967295
      WHERE day = ? AND block = ? AND instrument_id = ?`);
    this.#add = database.prepare(
      'INSERT INTO bar_seals (day, block, instrument_id, rows, hash) VALUES (?, ?, ?, ?, ?)',
    );
    this.#remove = database.prepare(barSql.removeSeals);
    this.#removeAll = database.prepare('DELETE FROM bar_seals');
  }

  /** Called when a bar has been added or replaced. */
  put(
    id: number,
    { bar, replaced }: { readonly bar: Bar; readonly replaced: Bar | undefined },
  ): void {
    const block = blockOf(bar.minute);
    const hash = removeHash(hashOfBar(bar), replaced === undefined ? 0 : hashOfBar(replaced));
    const added = replaced === undefined ? 1 : 0;
    if (Number(this.#change.run(added, hash, bar.day, block, id).changes) > 0) return;
    this.#add.run(bar.day, block, id, added, hash);
  }

  /** Called when the packed bars of an instrument on a day are removed. */
  removed(id: number, day: EpochDay): void {
    const blocks = this.#seals.blocksOf(day);
    if (blocks !== undefined) this.#remove.run(blocks[0], blocks[1], day, id);
  }

  /** Called before all bars are removed, in several steps. */
  removedAll(): void {
    this.#removeAll.run();
  }
}
