import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import { Noise } from '../../../lib/numbers/noise.ts';

/** How a factor moves. */
interface FactorTraits {
  /** The standard deviation of a day's move, in percent. */
  readonly dailyPct: number;
  /** The part of a deviation from 0 that remains a day later. */
  readonly persistence: number;
}

/** The weight of each factor, by its name. */
export type Weights = Readonly<Record<string, number>>;

/** A moment in a market's time. */
export interface Moment {
  readonly day: EpochDay;
  /** The day of the session before. */
  readonly previousDay: EpochDay;
  /** 0 at the open, 1 at the close and after it. */
  readonly progress: number;
}

/** A session that is divided into equal steps. */
interface FactorSteps {
  readonly day: EpochDay;
  /** The day of the session before. */
  readonly previousDay: EpochDay;
  readonly steps: number;
}

/**
 * The first day of every path: years before any demonstration, so that its start is never visible.
 */
const firstDay = 18_262; // 2020-01-01

/** The part of a day's move that happens before the open. */
const overnightPart = 0.3;

/** The value at a part of a session, on the straight line from the close before it to its own. */
export function onTheWay(before: number, close: number, progress: number): number {
  return before + (close - before) * (overnightPart + (1 - overnightPart) * progress);
}

/**
 * A cause of price changes, such as the market, the dollar, or the news of one company. Values are
 * logarithms, so the effects of several factors on one price add up.
 *
 * From day to day the value follows an AR(1) path, which returns to 0, so that prices stay
 * plausible however long the simulation runs. Within a session it moves from the last close to the
 * next one on a random path. The value depends only on the seed, the name and the moment. So live
 * prices agree with history, across restarts too.
 */
class Factor {
  readonly #noise: Noise;
  readonly #deviation: number;
  readonly #persistence: number;
  /** The value at the close of each day, from the first day on. */
  readonly #closes: number[] = [];
  /** The latest path: one factor moves many instruments of a market. */
  #heldPath: { readonly session: FactorSteps; readonly values: Float64Array } | undefined;
  /** The latest value: one factor moves many instruments, which all need it for the same moment. */
  #held: { readonly moment: Moment; readonly value: number } | undefined;

  constructor(seed: number, name: string, { dailyPct, persistence }: FactorTraits) {
    this.#noise = new Noise(seed, name);
    this.#deviation = dailyPct / 100;
    this.#persistence = persistence;
  }

  /** The value at the close of a day. */
  closeOf(day: EpochDay): number {
    for (let index = this.#closes.length; index <= day - firstDay; index += 1) {
      const before = this.#closes[index - 1] ?? 0;
      const move = this.#deviation * this.#noise.normal(firstDay + index);
      this.#closes.push(this.#persistence * before + move);
    }
    return this.#closes[day - firstDay] ?? 0;
  }

  /** The value at a moment. */
  at(moment: Moment): number {
    if (this.#held?.moment === moment) return this.#held.value;
    const value = this.#valueAt(moment);
    this.#held = { moment, value };
    return value;
  }

  /**
   * The values within a session at the points k ÷ steps of its progress, from the open to the close: those that
   * {@link at} gives.
   */
  pathOf(session: FactorSteps): Float64Array {
    const held = this.#heldPath;
    if (held !== undefined && isSameSession(held.session, session)) return held.values;
    const { day, previousDay, steps } = session;
    const [before, close] = [this.closeOf(previousDay), this.closeOf(day)];
    const values = this.#noise.bridgePath(day, steps).map((deviation, step) => {
      if (step === steps) return close;
      return onTheWay(before, close, step / steps) + this.#deviation * deviation;
    });
    this.#heldPath = { session, values };
    return values;
  }

  #valueAt({ day, previousDay, progress }: Moment): number {
    const close = this.closeOf(day);
    // Most requests are for closes.
    if (progress === 1) return close;
    const before = this.closeOf(previousDay);
    const deviation = this.#deviation * this.#noise.bridge(day, progress);
    return onTheWay(before, close, progress) + deviation;
  }
}

function isSameSession(a: FactorSteps, b: FactorSteps): boolean {
  return a.day === b.day && a.previousDay === b.previousDay && a.steps === b.steps;
}

/** The factors of more than one instrument. Any other name is the news of one issuer. */
const sharedFactors: Readonly<Record<string, FactorTraits>> = {
  argentina: { dailyPct: 1.4, persistence: 0.995 },
  world: { dailyPct: 0.9, persistence: 0.995 },
  /** Pesos per dollar, however it is paid. */
  dollar: { dailyPct: 0.6, persistence: 0.997 },
  /** The premium of a dollar abroad. */
  cable: { dailyPct: 0.15, persistence: 0.95 },
  /** How far the official dollar is from the dollars that securities imply. */
  'official dollar': { dailyPct: 0.2, persistence: 0.97 },
  'informal dollar': { dailyPct: 0.3, persistence: 0.97 },
  /** The yields of bonds, in parts of the yield. */
  sovereign: { dailyPct: 2, persistence: 0.99 },
  corporate: { dailyPct: 1, persistence: 0.99 },
  'real rates': { dailyPct: 1.5, persistence: 0.99 },
  'peso rates': { dailyPct: 1.2, persistence: 0.99 },
  'deposit rates': { dailyPct: 1, persistence: 0.98 },
  caucion: { dailyPct: 2, persistence: 0.97 },
  crypto: { dailyPct: 2, persistence: 0.995 },
};

/** The factor for the news of one issuer. */
const ownFactor: FactorTraits = { dailyPct: 1, persistence: 0.99 };

/** The factors of a simulation, each built when it is first needed. */
export class Factors {
  readonly #seed: number;
  readonly #factors = new Map<string, Factor>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  get(name: string): Factor {
    const held = this.#factors.get(name);
    if (held !== undefined) return held;
    const factor = new Factor(this.#seed, name, sharedFactors[name] ?? ownFactor);
    this.#factors.set(name, factor);
    return factor;
  }

  /** The sum of the values of factors, each multiplied by its weight. */
  sum(weights: Weights, valueOf: (factor: Factor) => number): number {
    let sum = 0;
    for (const name in weights) sum += (weights[name] ?? 0) * valueOf(this.get(name));
    return sum;
  }
}
