import { addDays, toEpochDay, type PlainDate } from '../calendar/plain-date.ts';
import type { SessionCalendar } from '../calendar/session-calendar.ts';
import type { IndexSeries } from '../indices/index-series.ts';
import { MarketCalendars } from '../instruments/market-calendars.ts';
import { settlementCalendar } from '../instruments/settlement-calendar.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { Universe } from '../instruments/universe.ts';
import type { Quote } from '../quotes/quote.ts';
import { referenceBond, wholesaleTicker } from './dollar.ts';
import type { DollarRates } from './dollar-rates.ts';

/** The dollars by which a price in pesos is converted. The first is the default. */
export const conversionDollars = ['mep', 'cable', 'a3500', 'wholesale'] as const;

export type ConversionDollar = (typeof conversionDollars)[number];

/** Pesos for one dollar, or what is missing to know it. */
export interface ConversionRate {
  readonly rate?: number | undefined;
  /** The day of A 3500 that is not known. */
  readonly missingDay?: PlainDate | undefined;
}

/**
 * The rates by which the prices of one session are converted. They are those of the same session, because a
 * price of an earlier day and a dollar of today do not belong together. MEP and CCL are those of AL30, not
 * rounded. A doubtful one converts nothing.
 */
export class ConversionRates {
  readonly #wholesale: Instrument | undefined;
  readonly #wholesaleDays: SessionCalendar | undefined;
  /** The days of A 3500. */
  readonly #publicationDays: SessionCalendar | undefined;
  readonly #dollars: DollarRates;

  /** @param dollars those of the universe. */
  constructor(universe: Universe, dollars: DollarRates) {
    this.#wholesale = universe.find(wholesaleTicker);
    this.#wholesaleDays = this.#wholesale && new MarketCalendars(universe).of(this.#wholesale);
    this.#publicationDays = settlementCalendar(universe);
    this.#dollars = dollars;
  }

  /**
   * The rate for the prices of a session.
   *
   * @param day of the prices.
   * @param isQuoted whether the prices are quotes of the day. Otherwise the latest dollar counts.
   */
  of(
    dollar: ConversionDollar,
    { day, isQuoted }: { readonly day: PlainDate; readonly isQuoted: boolean },
    known: {
      readonly quoteOf: (instrument: Instrument) => Quote | undefined;
      readonly indices: IndexSeries;
    },
  ): ConversionRate {
    if (dollar === 'a3500') return this.#published(day, known.indices);
    if (dollar === 'wholesale') {
      const quote = this.#wholesale && known.quoteOf(this.#wholesale);
      const isUsable = quote !== undefined && (!isQuoted || this.#isOf(quote, day));
      return isUsable ? { rate: quote.last } : {};
    }
    const found = this.#dollars
      .implied(known.quoteOf)
      .find((one) => one.dollar === dollar && one.base === referenceBond);
    if (found === undefined || found.state === 'doubtful-price') return {};
    return isQuoted && found.sessionDate !== day ? {} : { rate: found.last };
  }

  /** Whether the wholesale dollar is of a day, or of the business day before it: it may open later. */
  #isOf({ sessionDate }: Quote, day: PlainDate): boolean {
    const before = this.#wholesaleDays?.previousSettlement(day) ?? day;
    return sessionDate <= day && sessionDate >= before;
  }

  /** A 3500 is published in the afternoon of a business day. Until then that of the one before counts. */
  #published(day: PlainDate, indices: IndexSeries): ConversionRate {
    const before = this.#publicationDays?.previousSettlement(day) ?? addDays(day, -1);
    for (const one of [day, before]) {
      const rate = indices.valueAt('A3500', toEpochDay(one));
      if (rate !== undefined) return { rate };
    }
    return { missingDay: before };
  }
}
