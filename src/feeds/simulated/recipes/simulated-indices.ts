import { dayOf, monthOf, yearOf } from '../../../domain/bonds/day-count.ts';
import { businessDaysBefore } from '../../../domain/calendar/business-days.ts';
import {
  addDays,
  epochDayOf,
  firstOfMonth,
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../../domain/calendar/session-calendar.ts';
import { indexDefinitions, type IndexName } from '../../../domain/indices/index-name.ts';
import { mayHaveValue } from '../../../domain/indices/index-value.ts';
import type { DayValue } from '../../../domain/indices/index-series.ts';
import { roundHalfAwayFromZero } from '../../../domain/values/rounding.ts';
import { Noise } from '../../../lib/numbers/noise.ts';
import type { Factors } from './factor.ts';
import { a3500, roundedPrice, type Recipe } from './recipe.ts';

/** CER on the 15th of December 2025. It is close to the published value, because the terms of bonds have real ones. */
const firstCer = 668;

/** The month of that value, counted from January of year 0. */
const firstMonth = 2025 * 12 + 11;

/** UVA ÷ CER. Both grow with the same prices, so the quotient is constant. */
const uvaPerCer = 2.509;

/** ICL ÷ CER. The real one follows wages, too. */
const iclPerCer = 0.0415;

/** The inflation of a month, as a part of one. */
const inflationMin = 0.015;
const inflationMax = 0.025;

/** The rates of deposits, in percent a year, and the factors that move them. */
const rates = {
  TAMAR: { level: 27, weights: { 'deposit rates': 1 } },
  BADLAR: { level: 25.5, weights: { 'deposit rates': 1, 'own BADLAR': 0.3 } },
} as const satisfies Record<string, Recipe>;

/** The decimals with which A3500 is published. */
const a3500Decimals = 4;

/** The day of a month on which CER is published, until the same day of the next month. */
const publicationDay = 15;

/** Time from the start of a day until its A3500 is published. */
const a3500AtMs = 15 * 3_600_000;

/**
 * The indices of a simulated market. A value depends on the seed and the day alone, as prices do. They are
 * published when the central bank publishes the real ones: on the 15th CER, UVA and ICL, for all days until the 15th of
 * the next month, and the inflation of the month before; in the afternoon the reference exchange rate; two business days
 * later the rates of deposits.
 */
export class SimulatedIndices {
  readonly #factors: Factors;
  readonly #inflation: Noise;
  /** The logarithm of CER on the 15th of each month that was needed so far. */
  readonly #logs = new Map<number, number>([[firstMonth, Math.log(firstCer)]]);

  constructor(factors: Factors, seed: number) {
    this.#factors = factors;
    this.#inflation = new Noise(seed, 'inflation');
  }

  /** The value of a day, whether it is published yet or not. */
  valueOn(index: IndexName, day: EpochDay): number {
    switch (index) {
      case 'CER':
        return roundHalfAwayFromZero(this.#cerOn(day), 4);
      case 'UVA':
        return roundHalfAwayFromZero(this.#cerOn(day) * uvaPerCer, 2);
      case 'ICL':
        return roundHalfAwayFromZero(this.#cerOn(day) * iclPerCer, 2);
      case 'IPC':
        // CER grows by the inflation of a month from the 15th of the next one on.
        return roundHalfAwayFromZero(
          Math.expm1(this.#growthOf(monthNumber(fromEpochDay(day)) + 1)) * 100,
          1,
        );
      case 'A3500':
        // Rounded like the close of the instrument DOLAR A3500.
        return roundedPrice(this.#valueOf(a3500, day), a3500Decimals);
      case 'TAMAR':
      case 'BADLAR':
        return roundHalfAwayFromZero(this.#valueOf(rates[index], day), 2);
    }
  }

  /**
   * The values from a day on that are published at an instant.
   *
   * @param now in epoch milliseconds
   * @param calendar whose settlement days are the business days of the publisher
   */
  published(
    index: IndexName,
    {
      from,
      now,
      calendar,
    }: {
      readonly from: PlainDate;
      readonly now: number;
      readonly calendar: SessionCalendar;
    },
  ): readonly DayValue[] {
    const last = toEpochDay(lastPublished(index, now, calendar));
    const isDue = (day: EpochDay): boolean =>
      indexDefinitions[index].days === 'business'
        ? calendar.isSettlementDay(day)
        : mayHaveValue(index, day);
    const values: DayValue[] = [];
    for (let day = toEpochDay(from); day <= last; day = (day + 1) as EpochDay) {
      if (isDue(day)) values.push({ day, value: this.valueOn(index, day) });
    }
    return values;
  }

  #valueOf({ level, weights }: Recipe, day: EpochDay): number {
    return level * Math.exp(this.#factors.sum(weights, (factor) => factor.closeOf(day)));
  }

  /** CER grows evenly from the 15th of a month to that of the next one, by the inflation of the month before. */
  #cerOn(day: EpochDay): number {
    const month = cycleOf(day);
    const [from, to] = [startOf(month), startOf(month + 1)];
    const way = (day - from) / (to - from);
    const [before, after] = [this.#logAt(month), this.#logAt(month + 1)];
    return Math.exp(before + (after - before) * way);
  }

  /** The logarithm of CER on the 15th of a month. */
  #logAt(month: number): number {
    const held = this.#logs.get(month);
    if (held !== undefined) return held;
    const log =
      month > firstMonth
        ? this.#logAt(month - 1) + this.#growthOf(month - 1)
        : this.#logAt(month + 1) - this.#growthOf(month);
    this.#logs.set(month, log);
    return log;
  }

  #growthOf(month: number): number {
    const inflation = inflationMin + (inflationMax - inflationMin) * this.#inflation.uniform(month);
    return Math.log(1 + inflation);
  }
}

/** The months from January of year 0. */
function monthNumber(date: PlainDate): number {
  return yearOf(date) * 12 + monthOf(date) - 1;
}

/** The month in whose cycle a day is: from the 16th of the month to the 15th of the next one. */
function cycleOf(day: EpochDay): number {
  const date = fromEpochDay(day);
  return dayOf(date) > publicationDay ? monthNumber(date) : monthNumber(date) - 1;
}

/** The day from which CER grows by the inflation of a cycle. */
function startOf(month: number): EpochDay {
  return epochDayOf(Math.floor(month / 12), (month % 12) + 1, publicationDay);
}

/** The last day whose value is published at an instant. */
function lastPublished(index: IndexName, now: number, calendar: SessionCalendar): PlainDate {
  const today = calendar.dateAt(now);
  switch (index) {
    case 'CER':
    case 'UVA':
    case 'ICL': {
      const month = monthNumber(today);
      return fromEpochDay(startOf(dayOf(today) < publicationDay ? month : month + 1));
    }
    case 'IPC': {
      const month = firstOfMonth(addDays(today, 1 - publicationDay));
      return addDays(month, -1);
    }
    case 'A3500': {
      const isOut = calendar.isSettlement(today) && now >= calendar.startOfDay(today) + a3500AtMs;
      return isOut ? today : calendar.previousSettlement(today);
    }
    case 'TAMAR':
    case 'BADLAR':
      return businessDaysBefore(calendar, today, 2);
  }
}
