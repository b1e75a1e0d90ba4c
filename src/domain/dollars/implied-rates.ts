import type { InstrumentClasses } from '../instruments/instrument-classes.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { Quote } from '../quotes/quote.ts';
import type { Dollar } from './dollar.ts';
import { latestInstant, legOf, quotient } from './dollar-rate.ts';
import type { DollarRate } from './dollar-rate.ts';

/**
 * The dollars that the classes of a security imply: its price in pesos by its price in dollars, and its price
 * in local dollars by that in dollars abroad. Prices of different sessions imply nothing.
 */
export function impliedRates(
  { pesos, mep, cable }: InstrumentClasses,
  quoteOf: (instrument: Instrument) => Quote | undefined,
): readonly DollarRate[] {
  const rate = (
    dollar: Dollar,
    numerator: Instrument | undefined,
    denominator: Instrument | undefined,
    transform: (value: number) => number = (value) => value,
  ): readonly DollarRate[] => {
    const above = numerator && quoteOf(numerator);
    const below = denominator && quoteOf(denominator);
    if (above === undefined || below === undefined) return [];
    if (above.sessionDate !== below.sessionDate) return [];
    const prices = quotient(legOf(above), legOf(below), transform);
    if (prices === undefined) return [];
    return [
      {
        dollar,
        base: pesos.ticker,
        ...prices,
        sessionDate: above.sessionDate,
        asOf: latestInstant(above, below),
        method: 'implied',
        numerator: above.instrument.ticker,
        denominator: below.instrument.ticker,
      },
    ];
  };
  return [
    ...rate('mep', pesos, mep),
    ...rate('cable', pesos, cable),
    ...rate('cable-over-mep', mep, cable, (ratio) => (ratio - 1) * 100),
  ];
}
