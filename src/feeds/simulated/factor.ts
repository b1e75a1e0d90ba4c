import type { EpochDay } from '../../domain/plain-date.ts';
import { Noise } from '../../lib/noise.ts';

/** A moment of a market, as prices need it. */
export interface Moment {
  readonly day: EpochDay;
  /** The session before. */
  readonly previousDay: EpochDay;
  /** From the open, 0, to the close, 1, and on to the next open, 2. */
  readonly progress: number;
}

/** Where every path begins; years before any demonstration, so that none shows its beginning. */
const firstDay = 18_262; // 2020-01-01

/** Of a day's move, what happens before the open. */
const overnightPart = 0.3;

/** How far prices stray after the close, of how far they do within a session. */
const afterHoursPart = 0.3;

/**
 * Something that moves prices: the market, the dollar, one company's own news. In logarithms, so
 * that what moves one price by several factors adds up.
 *
 * From day to day it wanders and is drawn back to 0 (an AR(1) path), so that prices stay plausible
 * however long the simulation has run; within a session it goes from the last close to the next by a
 * way of its own. All of it follows from the seed and the name alone, and can be asked for any
 * moment: that is why live prices and history agree, across restarts too.
 */
export class Factor {
  readonly #noise: Noise;
  readonly #afterHours: Noise;
  readonly #deviation: number;
  readonly #persistence: number;
  /** The value at the close of each day from the first. */
  readonly #closes: number[] = [];
  /** One factor moves many instruments, which are asked for one moment together. */
  #held: { readonly moment: Moment; readonly value: number } | undefined;

  constructor(
    seed: number,
    name: string,
    options: {
      /** The standard deviation of a day's move. */
      readonly dailyPct: number;
      /** What is left of a departure from 0 a day later. */
      readonly persistence: number;
    },
  ) {
    this.#noise = new Noise(seed, name);
    this.#afterHours = new Noise(seed, `${name} after hours`);
    this.#deviation = options.dailyPct / 100;
    this.#persistence = options.persistence;
  }

  /** Its value at the close of a day. */
  closeOf(day: EpochDay): number {
    for (let index = this.#closes.length; index <= day - firstDay; index += 1) {
      const before = this.#closes[index - 1] ?? 0;
      const move = this.#deviation * this.#noise.normal(firstDay + index);
      this.#closes.push(this.#persistence * before + move);
    }
    return this.#closes[day - firstDay] ?? 0;
  }

  /** Its value at a moment. */
  at(moment: Moment): number {
    if (this.#held?.moment === moment) return this.#held.value;
    const value = this.#valueAt(moment);
    this.#held = { moment, value };
    return value;
  }

  #valueAt({ day, previousDay, progress }: Moment): number {
    const close = this.closeOf(day);
    if (progress >= 1) {
      const astray = this.#afterHours.bridge(day, Math.min(progress - 1, 1));
      return close + this.#deviation * afterHoursPart * astray;
    }
    const before = this.closeOf(previousDay);
    const way = overnightPart + (1 - overnightPart) * progress;
    return before + (close - before) * way + this.#deviation * this.#noise.bridge(day, progress);
  }
}
