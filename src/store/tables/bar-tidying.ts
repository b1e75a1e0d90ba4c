import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { TidyOptions } from '../contract/bar-store.ts';

/**
 * The steps of the housekeeping of bars in one engine. A step visits some instruments, in the order of their ids, and
 * returns the last one; undefined when none is left.
 */
export interface BarSteps {
  /** The oldest day of the log, and the latest minute of it that has a bar. */
  oldestDay(): Promise<{ readonly day: EpochDay; readonly lastMinute: number } | undefined>;
  /** Packs the bars of a day together with those that are packed already, and removes the oldest sessions. */
  pack(day: EpochDay, after: number, sessionsMax: number): Promise<number | undefined>;
  /** Removes the oldest sessions. */
  trim(after: number, sessionsMax: number): Promise<number | undefined>;
  /** Removes bars of a day from the log. Returns whether there may be more. */
  remove(day: EpochDay): Promise<boolean>;
  /** Removes bars, packed or not. Returns whether there may be more. */
  removeAll(): Promise<boolean>;
}

/** How far the packing of a day has come. */
interface Packing {
  readonly day: EpochDay;
  /** The last instrument that was packed; undefined when all were. */
  readonly doneUpTo: number | undefined;
}

/**
 * The housekeeping of the bars, in short steps.
 *
 * The oldest day of the log is packed once it is over: first the bars of each instrument, in order of their ids, then
 * the day is removed from the log. Packing adds to what is packed already. So it can begin again at any time: after a
 * restart, and when bars are added to the day meanwhile, which happens only after an interruption of the service. Each
 * packed session makes the oldest one of its instrument leave.
 *
 * When nothing is to be packed, the sessions of all instruments are counted once, because the number of sessions may
 * have been lowered since.
 */
export class BarTidying {
  readonly #steps: BarSteps;
  #packing: Packing | undefined;
  #trimming: { readonly sessionsMax: number; readonly doneUpTo: number | undefined } | undefined;

  constructor(steps: BarSteps) {
    this.#steps = steps;
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
  async step({ idleSince, sessionsMax }: TidyOptions): Promise<boolean> {
    if (sessionsMax === 0) return this.#steps.removeAll();
    this.#packing ??= await this.#nextDay(idleSince);
    const packing = this.#packing;
    if (packing === undefined) return this.#trimAll(sessionsMax);
    const { day, doneUpTo } = packing;
    if (doneUpTo === undefined) {
      if (!(await this.#steps.remove(day))) this.#packing = undefined;
      return true;
    }
    const reached = await this.#steps.pack(day, doneUpTo, sessionsMax);
    // Bars that were added meanwhile let the packing begin again.
    if (this.#packing === packing) this.#packing = { day, doneUpTo: reached };
    return true;
  }

  /** The oldest day of the log, if it is over. */
  async #nextDay(idleSince: number): Promise<Packing | undefined> {
    const oldest = await this.#steps.oldestDay();
    if (oldest === undefined || oldest.lastMinute >= idleSince) return undefined;
    return { day: oldest.day, doneUpTo: 0 };
  }

  async #trimAll(sessionsMax: number): Promise<boolean> {
    if (this.#trimming?.sessionsMax !== sessionsMax) this.#trimming = { sessionsMax, doneUpTo: 0 };
    const { doneUpTo } = this.#trimming;
    if (doneUpTo === undefined) return false;
    const reached = await this.#steps.trim(doneUpTo, sessionsMax);
    this.#trimming = { sessionsMax, doneUpTo: reached };
    return reached !== undefined;
  }
}
