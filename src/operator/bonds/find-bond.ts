import type { Bond } from '../../domain/bonds/bond.ts';
import { Bonds } from '../../domain/bonds/bonds.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { requireInstrument } from '../universe/require-instrument.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';

/** An instrument with the terms of its issue. */
export interface FoundBond {
  readonly instrument: Instrument;
  readonly bond: Bond;
  /** The day in the time zone of its market. */
  readonly today: PlainDate;
}

/**
 * Finds the bond of which a ticker is a class.
 *
 * @throws UsageFault for an unknown ticker, and for one without terms.
 * @throws OperatorFault when the universe has faults.
 */
export async function findBond(
  text: string,
  at: { readonly universeDirectory: string; readonly now: number },
): Promise<FoundBond> {
  const { universeDirectory, now } = at;
  const universe = await requireUniverse(universeDirectory);
  const instrument = requireInstrument(
    universe,
    text,
    ` A bond needs a row in ${universeDirectory}/instruments.csv and one in bonds.csv (docs/bonds.md).`,
  );
  const bond = new Bonds(universe).of(instrument);
  if (bond === undefined) {
    const advice = canMature(instrument.kind)
      ? `Add a row to ${universeDirectory}/bonds.csv (docs/bonds.md).`
      : 'Only bonds, corporate bonds and bills have terms.';
    throw new UsageFault(`There are no terms of ${instrument.ticker}. ${advice}`);
  }
  const today = new MarketCalendars(universe).of(instrument).dateAt(now);
  return { instrument, bond, today };
}
