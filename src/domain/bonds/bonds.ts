import type { BondTerms } from '../instruments/bond-terms.ts';
import type { Instrument } from '../instruments/instrument.ts';
import { MarketCalendars } from '../instruments/market-calendars.ts';
import type { Ticker } from '../instruments/ticker.ts';
import type { Universe } from '../instruments/universe.ts';
import { makeBond } from './bond.ts';
import type { Bond } from './bond.ts';

/** The bonds of a universe with their payments, which are computed once. Immutable. */
export class Bonds {
  readonly #byTicker: ReadonlyMap<Ticker, Bond>;

  constructor(universe: Universe) {
    const calendars = new MarketCalendars(universe);
    const bonds = universe.bondTerms.flatMap((terms) => {
      const bond = makeBond(terms, calendars.of(universe.get(terms.ticker)));
      return tickersOf(terms).map((ticker): [Ticker, Bond] => [ticker, bond]);
    });
    this.#byTicker = new Map(bonds);
  }

  /** The bond of which an instrument is a class. Undefined without terms. */
  of({ ticker }: Pick<Instrument, 'ticker'>): Bond | undefined {
    return this.#byTicker.get(ticker);
  }
}

/** The tickers of all classes of an issue, that in pesos first. */
function tickersOf({ ticker, series }: BondTerms): readonly Ticker[] {
  return [ticker, ...series];
}
