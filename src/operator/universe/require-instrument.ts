import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { didYouMean } from '../../lib/text/closest.ts';

/**
 * The instrument that an operator names.
 *
 * @param advice the end of the message for an unknown ticker, after a space.
 *
 * @throws UsageFault for an unknown ticker, with the closest one.
 */
export function requireInstrument(universe: Universe, spelling: string, advice = ''): Instrument {
  const instrument = universe.find(spelling);
  if (instrument !== undefined) return instrument;
  const tickers = universe.instruments.map(({ ticker }) => ticker);
  throw new UsageFault(
    `The universe has no instrument ${spelling}.${didYouMean(spelling, tickers)}${advice}`,
  );
}
