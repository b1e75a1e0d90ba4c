import type { Bar } from '../../../domain/quotes/minute-bar.ts';
import { damaged } from '../../contract/store-fault.ts';
import type { SqliteConnection } from '../file/connection.ts';
import { rangeOf } from '../file/range-of.ts';
import { addHash, hashNumbers, removeHash } from './row-hash.ts';

/** Minutes of a block. The bars of a block are read and verified together. */
export const minutesPerBlock = 64;

function blockOf(minute: number): number {
  return Math.floor(minute / minutesPerBlock);
}

function hashOfBar({ minute, open, high, low, last, volume }: Bar): number {
  return hashNumbers(minute, open, high, low, last, volume);
}

/** Every statement over the seals of bars. Each block is searched by itself, because the key begins with it. */
export const barSealSql = {
  seals: `${rangeOf('bar_seals', 'block')}
    SELECT bar_seals.day, bar_seals.block, rows, hash
    FROM blocks CROSS JOIN bar_seals
      ON bar_seals.day = blocks.day AND bar_seals.block = blocks.block AND instrument_id = $1`,

  remove: `
    WITH RECURSIVE blocks (block) AS (
      SELECT min(block) FROM bar_seals WHERE day = $2
      UNION ALL
      SELECT block + 1 FROM blocks WHERE block < (SELECT max(block) FROM bar_seals WHERE day = $2)
    )
    DELETE FROM bar_seals
    WHERE day = $2 AND block IN (SELECT block FROM blocks) AND instrument_id = $1`,
} as const;

/** Few seals are new, so this is tried first. */
const changeText = `
  UPDATE bar_seals SET rows = rows + $1, hash = (hash + $2) & 4294967295
  WHERE day = $3 AND block = $4 AND instrument_id = $5`;

type SealRow = readonly [day: number, block: number, rows: number, hash: number];

/**
 * The seals of the bars of an instrument: for each block of minutes of a day, the number of bars and the sum of
 * their hashes. They cover the bars wherever they are stored, so packing does not change them.
 */
export class BarSeals {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /**
   * Compares the bars of an instrument on the days of a range with their seals.
   *
   * @param bars those of whole blocks from `sinceMinute` on.
   * @throws StoreFault `corrupt`
   */
  verify(
    id: number | undefined,
    range: { readonly from: number; readonly to: number; readonly sinceMinute: number },
    bars: readonly Bar[],
  ): void {
    const found = new Map<string, { rows: number; hash: number }>();
    let [lastDay, lastBlock] = [Number.NaN, Number.NaN];
    let current = { rows: 0, hash: 0 };
    for (const bar of bars) {
      const block = blockOf(bar.minute);
      if (bar.day !== lastDay || block !== lastBlock) {
        [lastDay, lastBlock] = [bar.day, block];
        const key = `${bar.day} ${block}`;
        current = found.get(key) ?? { rows: 0, hash: 0 };
        found.set(key, current);
      }
      current.rows += 1;
      current.hash = addHash(current.hash, hashOfBar(bar));
    }
    const { from, to, sinceMinute } = range;
    const seals =
      id === undefined
        ? []
        : this.#connection.all<SealRow>(barSealSql.seals, [id, from, to, blockOf(sinceMinute)]);
    for (const [day, block, rows, hash] of seals) {
      const key = `${day} ${block}`;
      const sum = found.get(key);
      found.delete(key);
      if (sum?.rows === rows && sum.hash === hash) continue;
      throw damaged(
        this.#connection.where,
        `${sum?.rows ?? 0} bars of instrument ${id} on day ${day} are not the ${rows} that were stored`,
      );
    }
    for (const [key, { rows }] of found) {
      throw damaged(
        this.#connection.where,
        `${rows} bars of instrument ${id} in block ${key} have no seal`,
      );
    }
  }

  /** Called when a bar has been added or replaced, within the transaction. */
  put(
    id: number,
    { bar, replaced }: { readonly bar: Bar; readonly replaced: Bar | undefined },
  ): void {
    const block = blockOf(bar.minute);
    const hash = removeHash(hashOfBar(bar), replaced === undefined ? 0 : hashOfBar(replaced));
    const added = replaced === undefined ? 1 : 0;
    const changed = this.#connection
      .statement(changeText, 5)
      .run(added, hash, bar.day, block, id).changes;
    if (Number(changed) > 0) return;
    this.#connection.all(
      'INSERT INTO bar_seals (day, block, instrument_id, rows, hash) VALUES ($1, $2, $3, $4, $5)',
      [bar.day, block, id, added, hash],
    );
  }

  /** Called when the packed bars of an instrument on a day are removed. */
  remove(id: number, day: number): void {
    this.#connection.all(barSealSql.remove, [id, day]);
  }

  /** Called before all bars are removed, in several steps. */
  removeAll(): void {
    this.#connection.all('DELETE FROM bar_seals');
  }
}
