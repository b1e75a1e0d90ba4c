import type { Bonds } from '../../domain/bonds/bonds.ts';
import type { DollarRate } from '../../domain/dollars/dollar-rate.ts';
import { DollarRates } from '../../domain/dollars/dollar-rates.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { fine, warning, type Finding } from '../../lib/reports/finding.ts';

/**
 * Finds the dollars that two classes of a security imply and that cannot be believed. Their state in `/dolares` is
 * `precio-dudoso`. Without the MEP of AL30, no price in pesos of a bond in dollars has a yield.
 */
export function checkDollars(
  quotes: readonly Quote[],
  { universe, bonds }: { readonly universe: Universe; readonly bonds: Bonds },
): Finding {
  const check = 'dollars';
  const byInstrument = new Map(quotes.map((quote) => [quote.instrument, quote]));
  const rates = new DollarRates(universe, bonds).implied((one) => byInstrument.get(one));
  const cases = rates.filter(({ state }) => state === 'doubtful-price').map(lineOf);
  if (cases.length > 0) {
    return warning(check, 'Two classes of a security imply a dollar that cannot be.', {
      todo: 'Compare both prices with the market: one may be of one nominal, of another class or issue, or a slip. Then correct the source, or price_per, base and class in instruments.csv of the universe.',
      cases,
    });
  }
  return fine(
    check,
    rates.length === 0
      ? 'No security has prices of two of its classes in one session.'
      : `${rates.length} dollars that the classes of securities imply can be believed.`,
  );
}

function lineOf({ dollar, sessionDate, numerator, denominator, last }: DollarRate): string {
  const unit = dollar === 'cable-over-mep' ? '% of canje' : 'ARS for a dollar';
  return `${numerator} ÷ ${denominator} ${sessionDate}: ${Number(last.toPrecision(6))} ${unit}`;
}
