import type { Bond } from '../../domain/bonds/bond.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import type { BondValuation } from '../../domain/bonds/value-bond.ts';
import type { ConversionRate } from '../../domain/dollars/conversion-rates.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Universe } from '../../domain/instruments/universe.ts';

/** A bond by one of its classes. */
export interface BondClass {
  readonly instrument: Instrument;
  readonly bond: Bond;
}

/** What a response about bonds lacks, each named once (contract 4.10.2). */
export class MissingInputs {
  /** Unknown tickers, and those without a quote. */
  readonly tickers = new Set<string>();
  /** Tickers whose bonds have no terms. */
  readonly terms = new Set<string>();
  /** The index and the day whose value is not known: `CER 2026-11-06`. */
  readonly indices = new Set<string>();

  /** The bond of a ticker. If there is none, it notes why. */
  classOf(
    ticker: string,
    { universe, bonds }: { readonly universe: Universe; readonly bonds: Bonds },
  ): BondClass | undefined {
    const instrument = universe.find(ticker);
    const bond = instrument && bonds.of(instrument);
    if (instrument === undefined) this.tickers.add(ticker);
    else if (bond === undefined) this.terms.add(instrument.ticker);
    return instrument && bond && { instrument, bond };
  }

  /** Notes the value of an index that figures use, if it is not known. */
  noteIndex(used: BondValuation['index']): void {
    if (used?.value === null) this.indices.add(`${used.index} ${used.day}`);
  }

  /** Notes the day of A 3500 that a rate lacks. */
  noteRate({ missingDay }: ConversionRate): void {
    if (missingDay !== undefined) this.indices.add(`A3500 ${missingDay}`);
  }

  /** The names by header. */
  names(): Readonly<Record<string, readonly string[]>> {
    return {
      'missing-especies': [...this.tickers],
      'missing-terminos': [...this.terms],
      'missing-indices': [...this.indices],
    };
  }
}
