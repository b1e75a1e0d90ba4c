import { instrumentClasses } from './instrument-classes.ts';
import { tickersOf, type BondTerms } from './bond-terms.ts';
import type { DollarPayment, Instrument } from './instrument.ts';
import type { Ticker } from './ticker.ts';
import type { Universe } from './universe.ts';

/** What an instrument is, besides its own properties: its security, and which class of it. */
export interface InstrumentIdentity {
  /** The ticker of the class in pesos. Absent for an instrument that is the only class of its security. */
  readonly base?: Ticker | undefined;
  readonly paid?: 'pesos' | DollarPayment | undefined;
  /** Who issued it. That of the class in pesos, unless the row has its own. */
  readonly issuer?: string | undefined;
  /** The terms of its issue, if it is a bond or a bill whose terms are known. */
  readonly terms?: BondTerms | undefined;
}

/** The identities of all instruments of a universe. */
export function instrumentIdentities(
  universe: Universe,
): ReadonlyMap<Instrument, InstrumentIdentity> {
  const identities = new Map<Instrument, InstrumentIdentity>(
    universe.instruments.map((one) => [one, { issuer: one.issuer }]),
  );
  for (const { pesos, mep, cable } of instrumentClasses(universe.instruments)) {
    for (const [paid, one] of Object.entries({ pesos, mep, cable })) {
      if (one === undefined) continue;
      const issuer = one.issuer ?? pesos.issuer;
      identities.set(one, { base: pesos.ticker, paid: paid as InstrumentIdentity['paid'], issuer });
    }
  }
  for (const terms of universe.bondTerms) {
    for (const one of tickersOf(terms).map((each) => universe.get(each))) {
      identities.set(one, { ...identities.get(one), terms });
    }
  }
  return identities;
}
