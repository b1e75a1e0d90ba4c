import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { BarSteps } from '../../tables/bar-tidying.ts';
import { barSql, LoggedBars } from '../rows/stored-bars.ts';
import { mergeBars, packBars, unpackBars } from '../../encoding/packed-bars.ts';
import { BarSealWriter } from '../seals/bar-seals.ts';

/** Number of instruments whose bars are packed in one step: 5 to 15 ms. */
const packedPerStep = 8;

/** Number of instruments whose sessions are counted in one step. */
const trimmedPerStep = 200;

/** Number of rows that are removed in one step: about 5 ms. */
const removedPerStep = 2_000;

/** The steps of the housekeeping of bars, within a transaction of the caller. Packing does not change the seals. */
export class SqliteBarSteps implements BarSteps {
  readonly #path: string;
  readonly #logged: LoggedBars;
  readonly #instruments: StatementSync;
  readonly #packed: StatementSync;
  readonly #put: StatementSync;
  readonly #trim: StatementSync;
  readonly #seals: BarSealWriter;
  readonly #remove: StatementSync;
  readonly #removeAll: readonly StatementSync[];

  constructor(database: DatabaseSync, path: string) {
    this.#path = path;
    this.#logged = new LoggedBars(database);
    this.#instruments = database.prepare(barSql.instrumentsAfter);
    this.#packed = database.prepare(barSql.packed);
    this.#put = database.prepare(`
      INSERT INTO session_bars (instrument_id, day, bars) VALUES (?, ?, ?)
      ON CONFLICT (instrument_id, day) DO UPDATE SET bars = excluded.bars
      WHERE bars IS NOT excluded.bars`);
    this.#trim = database.prepare(`
      DELETE FROM session_bars WHERE instrument_id = ?1 AND day <=
        (SELECT day FROM session_bars WHERE instrument_id = ?1 ORDER BY day DESC LIMIT 1 OFFSET ?2)
      RETURNING day`);
    this.#seals = new BarSealWriter(database, path);
    this.#remove = database.prepare(`
      DELETE FROM minute_bars WHERE (day, minute, instrument_id) IN (
        SELECT day, minute, instrument_id FROM minute_bars WHERE day = ? LIMIT ${removedPerStep})`);
    this.#removeAll = [
      database.prepare(`
        DELETE FROM minute_bars WHERE (day, minute, instrument_id) IN (
          SELECT day, minute, instrument_id FROM minute_bars LIMIT ${removedPerStep})`),
      database.prepare(`
        DELETE FROM session_bars WHERE (instrument_id, day) IN (
          SELECT instrument_id, day FROM session_bars LIMIT ${removedPerStep / 4})`),
    ];
  }

  async oldestDay(): ReturnType<BarSteps['oldestDay']> {
    const day = this.#logged.firstDay(-Infinity);
    return day === undefined ? undefined : { day, lastMinute: this.#logged.lastMinute(day) ?? 0 };
  }

  async pack(day: EpochDay, after: number, sessionsMax: number): Promise<number | undefined> {
    const ids = this.#instrumentsAfter(after, packedPerStep);
    for (const id of ids) {
      const logged = this.#logged.barsOf(id, day);
      if (logged.length === 0) continue;
      const [row] = this.#packed.all(id, day, day) as unknown as readonly [EpochDay, Uint8Array][];
      const packed = row === undefined ? [] : unpackBars(this.#path, day, row[1]);
      this.#put.run(id, day, packBars(mergeBars(packed, logged)));
      this.#trimOne(id, sessionsMax);
    }
    return ids.at(-1);
  }

  async trim(after: number, sessionsMax: number): Promise<number | undefined> {
    const ids = this.#instrumentsAfter(after, trimmedPerStep);
    for (const id of ids) this.#trimOne(id, sessionsMax);
    return ids.at(-1);
  }

  async remove(day: EpochDay): Promise<boolean> {
    return this.#remove.run(day).changes >= removedPerStep;
  }

  async removeAll(): Promise<boolean> {
    this.#seals.removedAll();
    return this.#removeAll.some((one) => one.run().changes > 0);
  }

  #trimOne(id: number, sessionsMax: number): void {
    const removed = this.#trim.all(id, sessionsMax) as unknown as readonly (readonly [EpochDay])[];
    for (const [day] of removed) this.#seals.removed(id, day);
  }

  #instrumentsAfter(id: number, max: number): readonly number[] {
    const rows = this.#instruments.all(id, max) as unknown as readonly (readonly [number])[];
    return rows.map(([one]) => one);
  }
}
