import type { Bonds } from '../bonds/bonds.ts';
import { settlementOf } from '../calendar/business-days.ts';
import { conventions } from '../bonds/conventions.ts';
import { quotedPrice } from '../bonds/quoted-price.ts';
import { valueBond } from '../bonds/value-bond.ts';
import type { SessionCalendar } from '../calendar/session-calendar.ts';
import { instrumentClasses, type InstrumentClasses } from '../instruments/instrument-classes.ts';
import type { Instrument } from '../instruments/instrument.ts';
import { MarketCalendars } from '../instruments/market-calendars.ts';
import type { Universe } from '../instruments/universe.ts';
import type { Quote } from '../quotes/quote.ts';
import { publishedDollars, wholesaleTicker, type Dollar, type PublishedDollar } from './dollar.ts';
import type { DollarRate } from './dollar-rate.ts';
import { impliedRates } from './implied-rates.ts';
import { receiptPairs, receiptRates, type ReceiptPair } from './receipt-rates.ts';

/** A rate, and by how much it is above the wholesale dollar. */
export interface ComparedRate extends DollarRate {
  /**
   * In percent. Null for `cable-over-mep`, which is no price, for a doubtful rate, and without a wholesale dollar
   * of the session or of the one before.
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
  readonly #bonds: Bonds;
  /** Quotes never change, so each is judged once. */
  readonly #doubtful = new WeakMap<Quote, boolean>();

  /** @param bonds those of the universe. */
  constructor(universe: Universe, bonds: Bonds) {
    this.#bonds = bonds;
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
    const wholesaleFor = (rate: DollarRate) => this.#comparable(wholesale, rate)?.last;
    const hasReceipts = dollar === 'cable' || (dollar === undefined && wanted !== undefined);
    const calendarOf = (instrument: Instrument): SessionCalendar => this.#calendars.of(instrument);
    // BYMA and A3 are markets and shares: their own prices imply a dollar, and the markets publish others.
    const hasPublished = wanted === undefined || !this.#isTicker(wanted);
    const implied = this.implied(quoteOf);
    const cableFor = ({ sessionDate }: DollarRate) =>
      implied.find(
        (one) =>
          one.dollar === 'cable' &&
          one.state !== 'doubtful-price' &&
          one.sessionDate === sessionDate,
      )?.last;
    const rates = [
      ...(hasPublished ? this.#published : []).flatMap((one) => publishedRate(one, quoteOf)),
      ...implied,
      ...(hasReceipts
        ? receiptRates(this.#receipts, quoteOf, { calendarOf, cableFor, wholesaleFor })
        : []),
    ];
    return rates
      .filter((rate) => dollar === undefined || rate.dollar === dollar)
      .filter((rate) => wanted === undefined || rate.base.toUpperCase() === wanted)
      .map((rate) => ({ ...rate, gapPct: gapOf(rate, wholesaleFor(rate)) }));
  }

  /** The rates that the classes of securities imply. */
  implied(quoteOf: (instrument: Instrument) => Quote | undefined): readonly DollarRate[] {
    const wholesale = this.#wholesale && quoteOf(this.#wholesale);
    return impliedRates(this.#classes, quoteOf, {
      isDoubtful: (quote) => this.#isDoubtful(quote),
      wholesaleFor: (rate) => this.#comparable(wholesale, rate)?.last,
    });
  }

  /** The wholesale dollar, if it is of the session of a rate or of the business day before. */
  #comparable(wholesale: Quote | undefined, { sessionDate }: DollarRate): Quote | undefined {
    if (wholesale === undefined || wholesale.sessionDate > sessionDate) return undefined;
    const before = this.#calendars.of(wholesale.instrument).previousSettlement(sessionDate);
    return wholesale.sessionDate >= before ? wholesale : undefined;
  }

  /** Whether a price cannot be one of its bond, as far as this is known without an exchange rate or an index. */
  #isDoubtful(quote: Quote): boolean {
    const known = this.#doubtful.get(quote);
    if (known !== undefined) return known;
    const bond = this.#bonds.of(quote.instrument);
    const convention = conventions.pizarra;
    const isDoubtful =
      bond !== undefined &&
      valueBond(bond, {
        settlement: settlementOf(bond.days, quote.sessionDate, convention.settles),
        convention,
        price: quotedPrice(quote),
        index: () => undefined,
      }).state === 'doubtful-price';
    this.#doubtful.set(quote, isDoubtful);
    return isDoubtful;
  }
}

function gapOf({ dollar, last, state }: DollarRate, wholesale: number | undefined): number | null {
  const isPrice = dollar !== 'cable-over-mep' && state !== 'doubtful-price';
  const gap = isPrice && wholesale !== undefined ? (last / wholesale - 1) * 100 : Number.NaN;
  return Number.isFinite(gap) ? gap : null;
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
      state: 'ok',
    },
  ];
}
