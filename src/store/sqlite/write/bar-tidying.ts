import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { TickerBar } from '../../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { TidyOptions } from '../../contract/bar-store.ts';
import { barSql, LoggedBars } from '../rows/stored-bars.ts';
import { mergeBars, packBars, unpackBars } from '../../encoding/packed-bars.ts';
import { BarSealWriter } from '../seals/bar-seals.ts';

/** Number of instruments whose bars are packed in one step: 5 to 15 ms. */
const packedPerStep = 8;

/** Number of instruments whose sessions are counted in one step. */
const trimmedPerStep = 200;

/** Number of rows that are removed in one step: about 5 ms. */
const removedPerStep = 2_000;

/** How far the packing of a day has come. */
interface Packing {
  readonly day: EpochDay;
  /** The last instrument that was packed; undefined when all were. */
  readonly doneUpTo: number | undefined;
}

/**
 * The housekeeping of the bars, in short steps. A step runs within a transaction of the caller.
 *
 * The oldest day of the log is packed once it is over: first the bars of each instrument, in order of
 * their ids, then the day is removed from the log. Packing adds to what is packed already. So it can
 * begin again at any time: after a restart, and when bars are added to the day meanwhile, which happens
 * only after an interruption of the service. Each packed session makes the oldest one of its instrument
 * leave.
 *
 * When nothing is to be packed, the sessions of all instruments are counted once, because the number
 * of sessions may have been lowered since.
 */
export class BarTidying {
  readonly #path: string;
  readonly #logged: LoggedBars;
  readonly #instruments: StatementSync;
  readonly #packed: StatementSync;
  readonly #put: StatementSync;
  readonly #trim: StatementSync;
  readonly #seals: BarSealWriter;
  readonly #remove: StatementSync;
  readonly #removeAll: readonly StatementSync[];
  #packing: Packing | undefined;
  #trimming: { readonly sessionsMax: number; readonly doneUpTo: number | undefined } | undefined;

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

  /** Called when bars were added to the log. */
  added(bars: readonly TickerBar[]): void {
    const day = this.#packing?.day;
    if (day !== undefined && bars.some(({ bar }) => bar.day === day)) this.#packing = undefined;
  }

  /** Called when a step was rolled back: what it had packed is only in the log, which must not be removed yet. */
  beginAgain(): void {
    this.#packing = undefined;
    this.#trimming = undefined;
  }

  /** Takes one step. Returns whether a further step has work to do. */
  step({ idleSince, sessionsMax }: TidyOptions): boolean {
    if (sessionsMax === 0) {
      this.#seals.removedAll();
      return this.#removeAll.some((one) => one.run().changes > 0);
    }
    this.#packing ??= this.#nextDay(idleSince);
    if (this.#packing === undefined) return this.#trimAll(sessionsMax);
    const { day, doneUpTo } = this.#packing;
    if (doneUpTo === undefined) {
      if (this.#remove.run(day).changes < removedPerStep) this.#packing = undefined;
    } else this.#packing = { day, doneUpTo: this.#packSome(day, doneUpTo, sessionsMax) };
    return true;
  }

  /** The oldest day of the log, if it is over. */
  #nextDay(idleSince: number): Packing | undefined {
    const day = this.#logged.firstDay(-Infinity);
    if (day === undefined) return undefined;
    const isOver = (this.#logged.lastMinute(day) ?? 0) < idleSince;
    return isOver ? { day, doneUpTo: 0 } : undefined;
  }

  #packSome(day: EpochDay, after: number, sessionsMax: number): number | undefined {
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

  #trimAll(sessionsMax: number): boolean {
    if (this.#trimming?.sessionsMax !== sessionsMax) this.#trimming = { sessionsMax, doneUpTo: 0 };
    const { doneUpTo } = this.#trimming;
    if (doneUpTo === undefined) return false;
    const ids = this.#instrumentsAfter(doneUpTo, trimmedPerStep);
    for (const id of ids) this.#trimOne(id, sessionsMax);
    this.#trimming = { sessionsMax, doneUpTo: ids.at(-1) };
    return ids.length > 0;
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
