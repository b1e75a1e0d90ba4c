import type { Board } from '../../board/board.ts';
import { valuedIn, type Bond } from '../../domain/bonds/bond.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import { settlementOf } from '../../domain/calendar/business-days.ts';
import { conventions } from '../../domain/bonds/conventions.ts';
import { valuesOf } from '../../domain/bonds/index-growth.ts';
import { quotedPrice } from '../../domain/bonds/quoted-price.ts';
import { valueBond, type BondPrice, type BondValuation } from '../../domain/bonds/value-bond.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { ConversionRate, ConversionRates } from '../../domain/dollars/conversion-rates.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { noExtras } from '../../domain/quotes/quote-extra.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { bonos, ValuedBond } from '../../contract/paths/bonos.ts';
import type { QueryOfOperation } from '../../contract/operation.ts';
import { MissingInputs } from './missing-inputs.ts';

type BondQuery = QueryOfOperation<typeof bonos>;

/** What all responses compute from. */
export interface BondMarket {
  readonly board: Board;
  readonly bonds: Bonds;
  readonly rates: ConversionRates;
  readonly calendars: MarketCalendars;
  readonly clock: Clock;
  readonly indices: () => IndexSeries;
}

/** What the figures of a bond depend on, beside its terms and the query. */
interface Inputs {
  /** Absent if the query has a price. */
  readonly quote: Quote | undefined;
  /** The day of the trade. */
  readonly day: PlainDate;
  /** Pesos for one dollar. Absent if it is not needed or not known. */
  readonly rate: number | undefined;
  readonly indices: IndexSeries;
}

/** The figures of a bond at a price of a day, as a query asks for them. */
export function figuresOf(
  bond: Bond,
  query: Pick<BondQuery, 'convention' | 'term'>,
  { price, day, rate, indices }: Omit<Inputs, 'quote'> & { readonly price: BondPrice },
): BondValuation {
  const convention = conventions[query.convention];
  return valueBond(bond, {
    settlement: settlementOf(bond.days, day, query.term ?? convention.settles),
    convention,
    price,
    exchangeRate: rate,
    index: valuesOf(indices),
  });
}

/** The rows of one query. Only the bonds whose inputs have changed since the last time are computed again. */
export class BondRows {
  readonly #query: BondQuery;
  readonly #market: BondMarket;
  readonly #selected: readonly (Instrument | string)[];
  readonly #computed = new Map<Instrument, Inputs & { readonly row: ValuedBond }>();
  /** The exchange rates of the current computation, by the day of the prices. */
  readonly #rates = new Map<PlainDate, ConversionRate>();

  constructor(query: BondQuery, market: BondMarket) {
    this.#query = query;
    this.#market = market;
    const { tickers, panel } = query.selection;
    const members = panel === undefined ? [] : market.board.resolve({ tickers: [], panel });
    this.#selected = [
      ...new Set([
        ...market.board.resolve({ tickers }),
        ...members.filter((one) => typeof one !== 'string' && canMature(one.kind)),
      ]),
    ];
  }

  /** The rows now, and what the request names and they lack. The row of a bond is the same until one of its inputs changes. */
  current(): { readonly rows: readonly ValuedBond[]; readonly missing: MissingInputs } {
    const indices = this.#market.indices();
    this.#rates.clear();
    const missing = new MissingInputs();
    const rows = this.#selected.flatMap((one) => this.#rowOf(one, indices, missing) ?? []);
    return { rows, missing };
  }

  /** Whether the query has a price, which takes the place of the quote. */
  get #isPriced(): boolean {
    return this.#query.price !== undefined;
  }

  #rowOf(
    selected: Instrument | string,
    indices: IndexSeries,
    missing: MissingInputs,
  ): ValuedBond | undefined {
    if (typeof selected === 'string') {
      missing.tickers.add(selected);
      return undefined;
    }
    const bond = this.#market.bonds.of(selected);
    if (bond === undefined) missing.terms.add(selected.ticker);
    const quote = this.#isPriced ? undefined : this.#quoteOf(selected);
    const hasPrice = this.#isPriced || quote !== undefined;
    if (!hasPrice) missing.tickers.add(selected.ticker);
    if (bond === undefined || !hasPrice) return undefined;

    const row = this.#figuresOf(selected, bond, { quote, indices, missing });
    missing.noteIndex(row.figures.index);
    return row;
  }

  #figuresOf(
    instrument: Instrument,
    bond: Bond,
    {
      quote,
      indices,
      missing,
    }: Pick<Inputs, 'quote' | 'indices'> & { readonly missing: MissingInputs },
  ): ValuedBond {
    const { calendars, clock } = this.#market;
    const day = quote?.sessionDate ?? calendars.of(instrument).dateAt(clock.now());
    const isForeign = instrument.currency !== valuedIn(bond.terms);
    const conversion: ConversionRate = isForeign
      ? this.#rates.getOrInsertComputed(day, () => this.#rateOn(day, indices))
      : {};
    missing.noteRate(conversion);

    const { rate } = conversion;
    const known = this.#computed.get(instrument);
    const isSame =
      known !== undefined &&
      known.quote === quote &&
      known.day === day &&
      known.rate === rate &&
      known.indices === indices;
    if (isSame) return known.row;
    const inputs = { quote, day, rate, indices };
    const row = this.#compute(instrument, bond, inputs);
    this.#computed.set(instrument, { ...inputs, row });
    return row;
  }

  #compute(instrument: Instrument, bond: Bond, { quote, day, rate, indices }: Inputs): ValuedBond {
    const { price: asked = 0 } = this.#query;
    const price: BondPrice =
      quote === undefined
        ? { amount: asked, currency: instrument.currency, form: 'convention' }
        : quotedPrice(quote);
    const figures = figuresOf(bond, this.#query, { price, day, rate, indices });
    return { instrument, date: day, asOf: quote?.asOf, figures };
  }

  #rateOn(day: PlainDate, indices: IndexSeries): ConversionRate {
    const { dollar } = this.#query;
    const quoteOf = (instrument: Instrument): Quote | undefined => this.#quoteOf(instrument);
    return this.#market.rates.of(dollar, { day, isQuoted: !this.#isPriced }, { quoteOf, indices });
  }

  #quoteOf(instrument: Instrument): Quote | undefined {
    return this.#market.board.latestFor(noExtras).quote(instrument);
  }
}
