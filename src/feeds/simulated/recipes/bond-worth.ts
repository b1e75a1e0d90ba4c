import type { Bond } from '../../../domain/bonds/bond.ts';
import { settlementOf } from '../../../domain/calendar/business-days.ts';
import { growthOf, type IndexValues } from '../../../domain/bonds/index-growth.ts';
import {
  addDays,
  fromEpochDay,
  toEpochDay,
  type EpochDay,
} from '../../../domain/calendar/plain-date.ts';
import { onTheWay, type Moment } from './factor.ts';

/** The worth of a bond on one day. */
interface DayWorth {
  /** The logarithm of the price of 100 nominal, in the currency of the flows after their index. */
  readonly log: number;
  /** By how many percent the price falls if the yield rises by one percent of itself (from 8 % to 8.08 %). */
  readonly sensitivity: number;
}

interface Payment {
  /** The contractual day. A buyer gets the payment if the trade settles before it. */
  readonly due: EpochDay;
  readonly paid: EpochDay;
  readonly amount: number;
}

/**
 * The value of a simulated bond: its payments, discounted at its usual yield. It grows with the interest and the
 * index, falls by each payment, and ends at the last one. So yield, duration and parity are plausible on every day.
 */
export class BondWorth {
  readonly #bond: Bond;
  readonly #indexValues: IndexValues;
  /** The usual yield, as a part of one, by the years that are left. */
  readonly #usualYield: (years: number) => number;
  readonly #payments: readonly Payment[];
  /** The worth of each computed day. All classes of the bond need the same days. */
  readonly #days = new Map<EpochDay, DayWorth>();

  constructor(bond: Bond, usualYield: (years: number) => number, indexValues: IndexValues) {
    this.#bond = bond;
    this.#usualYield = usualYield;
    this.#indexValues = indexValues;
    this.#payments = bond.flows.map(({ date, paid, total }) => ({
      due: toEpochDay(date),
      paid: toEpochDay(paid),
      // Only rates of the past may be unknown.
      amount: total ?? 0,
    }));
  }

  /** The logarithm of the price at a moment. Within a session it moves evenly. */
  logAt({ day, previousDay, progress }: Moment): number {
    const close = this.on(day).log;
    return progress === 1 ? close : onTheWay(this.on(previousDay).log, close, progress);
  }

  /** The worth at the close of a day. */
  on(day: EpochDay): DayWorth {
    const held = this.#days.get(day);
    if (held !== undefined) return held;
    const worth = this.#computed(day);
    this.#days.set(day, worth);
    return worth;
  }

  #computed(day: EpochDay): DayWorth {
    const { terms, days } = this.#bond;
    // A matured bond keeps the price of its last day.
    const lastDay = addDays(terms.maturity, -1);
    const next = settlementOf(days, fromEpochDay(day), 'next-day');
    const settlement = next < lastDay ? next : lastDay;
    const from = toEpochDay(settlement);
    const ahead = this.#payments.filter(({ due }) => due > from);
    const rate = this.#usualYield((toEpochDay(terms.maturity) - from) / 365);
    let price = 0;
    let weighted = 0;
    for (const { paid, amount } of ahead) {
      const years = (paid - from) / 365;
      const present = amount * (1 + rate) ** -years;
      price += present;
      weighted += years * present;
    }
    const { ratio } = growthOf(this.#bond, settlement, this.#indexValues);
    return {
      log: Math.log(price * (ratio ?? 1)),
      sensitivity: (weighted / price) * (rate / (1 + rate)),
    };
  }
}
