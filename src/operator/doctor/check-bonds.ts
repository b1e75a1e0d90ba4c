import { Bonds } from '../../domain/bonds/bonds.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { Finding } from '../../lib/reports/finding.ts';
import { checkBondClasses } from '../bonds/check-bond-classes.ts';
import { checkBondPrices } from '../bonds/check-bond-prices.ts';
import { checkDollars } from '../bonds/check-dollars.ts';
import { checkIndexBases } from '../bonds/check-index-bases.ts';
import { checkTerms, dayOfBonds, noTerms } from '../bonds/check-terms.ts';
import { valueQuotes } from '../bonds/value-quotes.ts';

/**
 * Checks the terms of bonds as `pizarra bonos check` does, and what only the store shows: terms that contradict
 * the index at the issue, prices that are not those of 100 nominal, classes in dollars that disagree, and dollars
 * that cannot be. What concerns no quote is not a warning.
 */
export function checkBonds(
  universe: Universe,
  { quotes, series }: { readonly quotes: readonly Quote[]; readonly series: IndexSeries },
  now: number,
): readonly Finding[] {
  const today = dayOfBonds(universe, now);
  if (today === undefined) return [noTerms];
  const bonds = new Bonds(universe);
  const calendars = new MarketCalendars(universe);
  const alive = bonds.all.filter(({ terms }) => terms.maturity > today);
  const quoted = new Set(quotes.map(({ instrument }) => instrument.ticker));
  const valued = valueQuotes(quotes, { universe, bonds, series });
  return [
    ...checkTerms({ universe, bonds, today, quoted }),
    checkIndexBases(alive, series, ({ terms }) => calendars.of(universe.get(terms.ticker))),
    checkBondPrices(valued),
    checkBondClasses(universe, valued),
    checkDollars(quotes, { universe, bonds }),
  ];
}
