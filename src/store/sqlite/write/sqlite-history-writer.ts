import { remembered } from '../../../lib/results/remembered.ts';
import type { StoreChange } from '../../../domain/changes/version.ts';
import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { CloseVersion } from '../../../domain/history/versions.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type {
  ChangeStamp,
  DayRange,
  HistoryTransaction,
  HistoryWriter,
} from '../../contract/history-store.ts';
import {
  toCloseRow,
  type CloseRow,
  type ReplacedCloseRow,
  type StoredCloseRow,
} from '../../encoding/close-row.ts';
import { readCloses, runHistory } from '../../tables/closes.ts';
import { SealChanges } from '../seals/close-hash.ts';
import { sealSql } from '../seals/close-seals.ts';
import { sealOfChange } from '../seals/row-hash.ts';
import type { SqliteConnection } from '../file/connection.ts';
import type { SqliteTransaction } from '../sql/sqlite-driver.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/** Maximum number of cached ids of sources. */
const sourcesMax = 10_000;

/** Closes that are put together of which the stored ones are read one by one, and not as a range. */
const singleReadsMax = 8;

const putText = `
  INSERT INTO closes (instrument_id, day, close, volume, open, high, low, source_id, change_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (instrument_id, day) DO UPDATE SET
    close = excluded.close, volume = excluded.volume,
    open = excluded.open, high = excluded.high, low = excluded.low,
    source_id = excluded.source_id, change_id = excluded.change_id`;

const keepText = `
  INSERT INTO replaced_closes
    (instrument_id, day, close, volume, open, high, low, source_id, change_id, position, replaced_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/**
 * Writes daily closes, one transaction at a time. A transaction has the whole database to itself. So it compares the
 * closes of an instrument with those that are stored, and writes what differs together with the seals.
 */
export function sqliteHistoryWriter(writer: SqliteWriter): HistoryWriter {
  return {
    transaction: (work, stamp) =>
      writer.transaction((sql) => {
        const transaction = new SqliteHistoryTransaction(sql, stamp);
        return runHistory(work, transaction, { finish: () => transaction.finish() });
      }),
  };
}

class SqliteHistoryTransaction implements HistoryTransaction {
  readonly #sql: SqliteTransaction;
  readonly #connection: SqliteConnection;
  readonly #stamp: ChangeStamp;
  readonly #changed = new Map<number, Ticker>();
  /** The ids are cached for one transaction, because a rollback removes the new ones. */
  readonly #sourceId: (source: string) => number;
  readonly #restored = new Map<string, number>();
  /** The id of the transaction's own change. Its instant is set at the end. */
  #own: number | undefined;

  constructor(sql: SqliteTransaction, stamp: ChangeStamp) {
    this.#sql = sql;
    this.#connection = sql.connection;
    this.#stamp = stamp;
    this.#sourceId = remembered(sourcesMax, (source) => this.#addSource(source));
  }

  read(ticker: Ticker, range: DayRange): Promise<readonly DailyClose[]> {
    return readCloses(this.#sql, ticker, range);
  }

  async put(ticker: Ticker, closes: readonly DailyClose[]): Promise<void> {
    if (closes.length === 0) return;
    this.#connection.run(() => {
      const id = this.#sql.seals.idOfAny(ticker);
      const stored = this.#storedOf(id, closes);
      const seals = new SealChanges();
      for (const one of closes) {
        const values = toCloseRow(one);
        const before = stored.get(one.day);
        if (before !== undefined && areSame(before, values)) continue;
        this.#own ??= this.#addChange({ at: 0, origin: this.#stamp.origin });
        let change = this.#own;
        if (before !== undefined) {
          change = this.#replace(id, seals, { before, values });
          // If the row that is replaced was damaged, the seal stays different from the rows.
          seals.put(before, -1);
        }
        const after: StoredCloseRow = [...values, change];
        this.#store(id, seals, after);
        stored.set(one.day, after);
      }
      seals.store(this.#connection, id);
      if (!seals.areNone) this.#changed.set(id, ticker);
    });
  }

  async restore(ticker: Ticker, versions: readonly CloseVersion[]): Promise<void> {
    this.#connection.run(() => {
      const id = this.#sql.seals.idOfAny(ticker);
      for (const table of ['closes', 'replaced_closes', 'close_seals']) {
        this.#connection.all(`DELETE FROM ${table} WHERE instrument_id = $1`, [id]);
      }
      const seals = new SealChanges();
      let [day, position] = [Number.NaN, 0];
      for (const { value, stored, replaced } of versions) {
        position = value.day === day ? position + 1 : 1;
        ({ day } = value);
        const row: StoredCloseRow = [...toCloseRow(value), this.#restoredChange(stored)];
        if (replaced === undefined) this.#store(id, seals, row);
        else this.#keep(id, seals, [...row, position, this.#restoredChange(replaced)]);
      }
      seals.store(this.#connection, id);
      this.#changed.set(id, ticker);
    });
  }

  /** Marks the changed instruments with a new revision, for readers. It is the last step before the commit. */
  async finish(): Promise<void> {
    if (this.#changed.size === 0) return;
    if (this.#own !== undefined) {
      this.#setChange(this.#own, { at: this.#stamp.now(), origin: this.#stamp.origin });
    }
    await this.#sql.raise('closes');
    const revision = `(SELECT value FROM revisions WHERE subject = 'closes')`;
    this.#connection.run(() => {
      for (const [id, ticker] of this.#changed) {
        this.#connection.all(`UPDATE instruments SET closes_revision = ${revision} WHERE id = $1`, [
          id,
        ]);
        this.#connection.all(
          `UPDATE instrument_seals SET closes_revision = ${revision} WHERE ticker = $1`,
          [ticker],
        );
      }
    });
  }

  /**
   * Keeps a close that is replaced, and returns the id of the change that the new close is of. A close of this
   * transaction was never visible, so it is not kept. To put back what it has replaced undoes that change.
   */
  #replace(
    id: number,
    seals: SealChanges,
    { before, values }: { readonly before: StoredCloseRow; readonly values: CloseRow },
  ): number {
    const own = this.#own as number;
    const [day] = values;
    const [last] = this.#connection.all<ReplacedCloseRow>(sealSql.lastReplaced, [id, day]);
    if (before[7] !== own) {
      this.#keep(id, seals, [...before, (last?.[8] ?? 0) + 1, own]);
      return own;
    }
    if (last?.[9] !== own || !areSame(last, values)) return own;
    this.#connection.all(
      'DELETE FROM replaced_closes WHERE instrument_id = $1 AND day = $2 AND position = $3',
      [id, day, last[8]],
    );
    seals.putReplaced(last, -1);
    return last[7];
  }

  #store(id: number, seals: SealChanges, row: StoredCloseRow): void {
    const [day, close, volume, open, high, low, source, change] = row;
    this.#connection
      .statement(putText, 9)
      .run(id, day, close, volume, open, high, low, this.#sourceIdOf(source), change);
    seals.put(row, 1);
  }

  #keep(id: number, seals: SealChanges, row: ReplacedCloseRow): void {
    const [day, close, volume, open, high, low, source, change, position, by] = row;
    this.#connection
      .statement(keepText, 11)
      .run(id, day, close, volume, open, high, low, this.#sourceIdOf(source), change, position, by);
    seals.putReplaced(row, 1);
  }

  #sourceIdOf(source: string | null): number | null {
    return source === null ? null : this.#sourceId(source);
  }

  /** The stored closes that these may replace, by day. */
  #storedOf(id: number, closes: readonly DailyClose[]): Map<number, StoredCloseRow> {
    let [from, to] = [Infinity, -Infinity];
    for (const { day } of closes) [from, to] = [Math.min(from, day), Math.max(to, day)];
    const read = (first: number, last: number): readonly StoredCloseRow[] =>
      this.#connection.all<StoredCloseRow>(sealSql.closes, [id, first, last]);
    const rows =
      closes.length > singleReadsMax ? read(from, to) : closes.flatMap(({ day }) => read(day, day));
    return new Map(rows.map((row) => [row[0], row]));
  }

  #addSource(source: string): number {
    const find = 'SELECT id FROM sources WHERE name = $1';
    const [row] = this.#connection.all<readonly [number]>(find, [source]);
    return (row ?? this.#added('INSERT INTO sources (name) VALUES ($1) RETURNING id', source))[0];
  }

  /** The id of a change of a copy. */
  #restoredChange(change: StoreChange): number {
    const key = `${change.at} ${change.origin}`;
    let id = this.#restored.get(key);
    if (id === undefined) {
      id = this.#addChange(change);
      this.#setChange(id, change);
      this.#restored.set(key, id);
    }
    return id;
  }

  #addChange({ origin }: StoreChange): number {
    const text = 'INSERT INTO changes (at, origin, seal) VALUES (0, $1, 0) RETURNING id';
    return this.#added(text, origin)[0];
  }

  #setChange(id: number, { at, origin }: StoreChange): void {
    if (!Number.isSafeInteger(at)) throw new RangeError(`a change cannot be at ${at}`);
    const seal = sealOfChange([id, at, origin]);
    this.#connection.all('UPDATE changes SET at = $1, seal = $2 WHERE id = $3', [at, seal, id]);
  }

  #added(text: string, value: string): readonly [number] {
    const [row] = this.#connection.all<readonly [number]>(text, [value]);
    return row as readonly [number];
  }
}

/** Whether two closes have the same values and the same source. */
function areSame(
  one: readonly [...CloseRow, ...unknown[]],
  other: readonly [...CloseRow, ...unknown[]],
): boolean {
  for (let at = 1; at < 7; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
