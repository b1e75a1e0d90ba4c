import { tickersOf } from '../instruments/bond-terms.ts';
import type { Instrument } from '../instruments/instrument.ts';
import { MarketCalendars } from '../instruments/market-calendars.ts';
import type { Ticker } from '../instruments/ticker.ts';
import type { Universe } from '../instruments/universe.ts';
import { makeBond, type Bond } from './bond.ts';

/** The bonds of a universe with their payments, which are computed once. Immutable. */
export class Bonds {
  /** One for each issue, in the order of the terms. */
  readonly all: readonly Bond[];
  readonly #byTicker: ReadonlyMap<Ticker, Bond>;

  constructor(universe: Universe) {
    const calendars = new MarketCalendars(universe);
    this.all = universe.bondTerms.map((terms) =>
      makeBond(terms, calendars.of(universe.get(terms.ticker))),
    );
    this.#byTicker = new Map(
      this.all.flatMap((bond) => tickersOf(bond.terms).map((ticker) => [ticker, bond] as const)),
    );
  }

  /** The bond of which an instrument is a class. Undefined without terms. */
  of({ ticker }: Pick<Instrument, 'ticker'>): Bond | undefined {
    return this.#byTicker.get(ticker);
  }
}
