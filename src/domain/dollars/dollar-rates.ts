import type { SessionCalendar } from '../calendar/session-calendar.ts';
import { instrumentClasses } from '../instruments/instrument-classes.ts';
import type { InstrumentClasses } from '../instruments/instrument-classes.ts';
import type { Instrument } from '../instruments/instrument.ts';
import { MarketCalendars } from '../instruments/market-calendars.ts';
import type { Universe } from '../instruments/universe.ts';
import type { Quote } from '../quotes/quote.ts';
import { publishedDollars, wholesaleTicker } from './dollar.ts';
import type { Dollar, PublishedDollar } from './dollar.ts';
import type { DollarRate } from './dollar-rate.ts';
import { impliedRates } from './implied-rates.ts';
import { receiptPairs, receiptRates } from './receipt-rates.ts';
import type { ReceiptPair } from './receipt-rates.ts';

/** A rate, and by how much it is above the wholesale dollar. */
export interface ComparedRate extends DollarRate {
  /**
   * In percent. Null for `cable-over-mep`, which is no price, and without a wholesale dollar of the session or
   * of the one before.
   */
  readonly gapPct: number | null;
}

/** Which rates are wanted. */
export interface DollarFilter {
  readonly dollar?: Dollar | undefined;
  /** In any case of letters. A name of a ticker and of a market is that of the ticker. */
  readonly base?: string | undefined;
}

/** The dollars of a universe, computed from the latest quotes when they are asked for. */
export class DollarRates {
  readonly #published: readonly PublishedDollar[];
  readonly #classes: readonly InstrumentClasses[];
  readonly #receipts: readonly ReceiptPair[];
  readonly #calendars: MarketCalendars;
  readonly #wholesale: Instrument | undefined;
  readonly #isTicker: (name: string) => boolean;

  constructor(universe: Universe) {
    const { instruments } = universe;
    this.#published = publishedDollars(universe);
    this.#classes = instrumentClasses(instruments);
    this.#receipts = receiptPairs(instruments, (ticker) => universe.find(ticker));
    this.#calendars = new MarketCalendars(universe);
    this.#wholesale = universe.find(wholesaleTicker);
    this.#isTicker = (name) => universe.find(name) !== undefined;
  }

  /**
   * The rates that a filter selects: those that are published, then the implied ones. Those of receipts are
   * many: they are only included when the filter names their dollar or a base.
   */
  select(
    { dollar, base }: DollarFilter,
    quoteOf: (instrument: Instrument) => Quote | undefined,
  ): readonly ComparedRate[] {
    const wanted = base?.toUpperCase();
    const wholesale = this.#wholesale && quoteOf(this.#wholesale);
    const hasReceipts = dollar === 'cable' || (dollar === undefined && wanted !== undefined);
    const calendarOf = (instrument: Instrument): SessionCalendar => this.#calendars.of(instrument);
    // BYMA and A3 are markets and shares: their own prices imply a dollar, and the markets publish others.
    const hasPublished = wanted === undefined || !this.#isTicker(wanted);
    const rates = [
      ...(hasPublished ? this.#published : []).flatMap((one) => publishedRate(one, quoteOf)),
      ...this.#classes.flatMap((one) => impliedRates(one, quoteOf)),
      ...(hasReceipts ? receiptRates(this.#receipts, quoteOf, calendarOf) : []),
    ];
    return rates
      .filter((rate) => dollar === undefined || rate.dollar === dollar)
      .filter((rate) => wanted === undefined || rate.base.toUpperCase() === wanted)
      .map((rate) => ({ ...rate, gapPct: this.#gap(rate, wholesale) }));
  }

  #gap({ dollar, last, sessionDate }: DollarRate, wholesale: Quote | undefined): number | null {
    if (dollar === 'cable-over-mep' || wholesale === undefined) return null;
    const calendar = this.#calendars.of(wholesale.instrument);
    const isComparable =
      wholesale.sessionDate <= sessionDate &&
      wholesale.sessionDate >= calendar.previousSession(sessionDate);
    const gap = (last / wholesale.last - 1) * 100;
    return isComparable && Number.isFinite(gap) ? gap : null;
  }
}

function publishedRate(
  { dollar, instrument, bid, ask }: PublishedDollar,
  quoteOf: (instrument: Instrument) => Quote | undefined,
): readonly DollarRate[] {
  const quote = quoteOf(instrument);
  if (quote === undefined) return [];
  const { sessionDate, asOf, last, book } = quote;
  /** The price of an instrument of its own, of the same session. */
  const side = (one: Instrument | undefined): number | undefined => {
    const own = one && quoteOf(one);
    return own?.sessionDate === sessionDate ? own.last : undefined;
  };
  return [
    {
      dollar,
      base: instrument.market,
      bid: side(bid) ?? book?.bid ?? null,
      ask: side(ask) ?? book?.ask ?? null,
      last,
      sessionDate,
      asOf,
      method: 'published',
      numerator: instrument.ticker,
    },
  ];
}
