import type { Bonds } from '../bonds/bonds.ts';
import { conventions } from '../bonds/conventions.ts';
import { quotedPrice } from '../bonds/quoted-price.ts';
import { valueBond } from '../bonds/value-bond.ts';
import { settlementOf } from '../calendar/business-days.ts';
import type { SessionCalendar } from '../calendar/session-calendar.ts';
import { type InstrumentClasses, instrumentClasses } from '../instruments/instrument-classes.ts';
import type { Instrument } from '../instruments/instrument.ts';
import { MarketCalendars } from '../instruments/market-calendars.ts';
import type { Universe } from '../instruments/universe.ts';
import type { Quote } from '../quotes/quote.ts';
import { believedRates } from './believed-rates.ts';
import { type DollarRate, rateOfQuotes } from './dollar-rate.ts';
import {
  type Dollar,
  type PublishedDollar,
  publishedDollars,
  referenceBond,
  wholesaleTicker,
} from './dollar.ts';
import { type ReceiptPair, receiptPairs, receiptRates } from './receipt-rates.ts';

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

/** What implied rates are judged by. */
interface ImpliedWitnesses {
  /** Whether the price of a quote cannot be one of its bond. */
  readonly isDoubtful: (quote: Quote) => boolean;
  /** The wholesale dollar, if it is comparable with a rate. */
  readonly wholesaleFor: (rate: DollarRate) => number | undefined;
}

/**
 * The dollars that the classes of securities imply: the price of each in pesos by its price in dollars, and its
 * price in local dollars by that in dollars abroad. Prices of different sessions imply nothing. A rate is doubtful
 * if one of its prices is, or if the rates of other securities contradict it.
 */
function impliedRates(
  securities: readonly InstrumentClasses[],
  quoteOf: (instrument: Instrument) => Quote | undefined,
  { isDoubtful, wholesaleFor }: ImpliedWitnesses,
): readonly DollarRate[] {
  const rate = (
    base: Instrument,
    dollar: Dollar,
    [numerator, denominator]: readonly [Instrument | undefined, Instrument | undefined],
    transform: (value: number) => number = (value) => value,
  ): readonly DollarRate[] => {
    const above = numerator && quoteOf(numerator);
    const below = denominator && quoteOf(denominator);
    const own = { dollar, base: base.ticker, method: 'implied' } as const;
    const found = rateOfQuotes(above, below, own, transform);
    if (found === undefined) return [];
    const isIn = [above, below].some((quote) => quote !== undefined && isDoubtful(quote));
    return [isIn ? { ...found, state: 'doubtful-price' } : found];
  };
  const all = securities.flatMap(({ pesos, mep, cable }) => [
    ...rate(pesos, 'mep', [pesos, mep]),
    ...rate(pesos, 'cable', [pesos, cable]),
    ...rate(pesos, 'cable-over-mep', [mep, cable], (ratio) => (ratio - 1) * 100),
  ]);
  const groups = Map.groupBy(all, groupOf);
  const believed = new Map(
    Array.from(groups, ([group, rates]) => [group, believedOf(rates, wholesaleFor)]),
  );
  return all.map((one) =>
    believed.get(groupOf(one))?.(one) === true ? one : { ...one, state: 'doubtful-price' },
  );
}

function groupOf({ dollar, sessionDate }: DollarRate): string {
  return `${dollar} ${sessionDate}`;
}

/** Which of the rates of one dollar and one session are believed. */
function believedOf(
  rates: readonly DollarRate[],
  wholesaleFor: ImpliedWitnesses['wholesaleFor'],
): (rate: DollarRate) => boolean {
  const usable = rates.filter(({ state }) => state !== 'doubtful-price');
  const [first] = usable;
  if (first === undefined) return () => false;
  const isRatio = first.dollar === 'cable-over-mep';
  const valueOf = ({ last }: DollarRate): number => (isRatio ? 1 + last / 100 : last);
  const reference = usable.find(({ base }) => base === referenceBond);
  const believed = believedRates(usable.map(valueOf), {
    reference: reference && valueOf(reference),
    anchor: isRatio ? 1 : wholesaleFor(first),
  });
  return (rate) => rate.state !== 'doubtful-price' && believed.includes(valueOf(rate));
}
