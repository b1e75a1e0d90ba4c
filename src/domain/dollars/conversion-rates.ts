import { addDays, toEpochDay } from '../calendar/plain-date.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import type { SessionCalendar } from '../calendar/session-calendar.ts';
import type { IndexSeries } from '../indices/index-series.ts';
import { MarketCalendars } from '../instruments/market-calendars.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { Universe } from '../instruments/universe.ts';
import type { Quote } from '../quotes/quote.ts';
import { wholesaleTicker } from './dollar.ts';

/** The dollars by which a price in pesos is converted. The first is the default. */
export const conversionDollars = ['mep', 'cable', 'a3500', 'wholesale'] as const;

export type ConversionDollar = (typeof conversionDollars)[number];

/** Pesos for one dollar, or what is missing to know it. */
export interface ConversionRate {
  readonly rate?: number | undefined;
  /** The day of A 3500 that is not known. */
  readonly missingDay?: PlainDate | undefined;
}

/** The bond by whose classes pesos are converted, and its classes in dollars. */
const bond = { pesos: 'AL30', mep: 'AL30D', cable: 'AL30C' } as const;

/**
 * The rates by which the prices of one session are converted. They are those of the same session, because a
 * price of an earlier day and a dollar of today do not belong together. MEP and CCL are not rounded.
 */
export class ConversionRates {
  readonly #universe: Universe;
  readonly #calendar: SessionCalendar | undefined;

  constructor(universe: Universe) {
    this.#universe = universe;
    const wholesale = universe.find(wholesaleTicker);
    this.#calendar = wholesale && new MarketCalendars(universe).of(wholesale);
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
    const find = (ticker: string): Quote | undefined => {
      const instrument = this.#universe.find(ticker);
      return instrument && known.quoteOf(instrument);
    };
    if (dollar === 'a3500') return this.#published(day, known.indices);
    if (dollar === 'wholesale') {
      const quote = find(wholesaleTicker);
      const isUsable = quote !== undefined && (!isQuoted || this.#isOf(quote, day));
      return isUsable ? { rate: quote.last } : {};
    }
    const pesos = find(bond.pesos);
    const dollars = find(bond[dollar]);
    if (pesos === undefined || dollars === undefined) return {};
    if (pesos.sessionDate !== dollars.sessionDate) return {};
    if (isQuoted && pesos.sessionDate !== day) return {};
    return dollars.last > 0 ? { rate: pesos.last / dollars.last } : {};
  }

  /** Whether the wholesale dollar is of a day, or of the session before it: it may open later. */
  #isOf({ sessionDate }: Quote, day: PlainDate): boolean {
    const before = this.#calendar?.previousSession(day) ?? day;
    return sessionDate <= day && sessionDate >= before;
  }

  /** A 3500 is published in the afternoon of its day. Until then that of the day before counts. */
  #published(day: PlainDate, indices: IndexSeries): ConversionRate {
    const before = this.#calendar?.previousSession(day) ?? addDays(day, -1);
    for (const one of [day, before]) {
      const rate = indices.valueAt('A3500', toEpochDay(one));
      if (rate !== undefined) return { rate };
    }
    return { missingDay: before };
  }
}
