import { Bonds } from '../../domain/bonds/bonds.ts';
import { addDays } from '../../domain/calendar/plain-date.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { BondTerms } from '../../domain/instruments/bond-terms.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { fine, warning } from '../../lib/reports/finding.ts';
import type { Finding } from '../../lib/reports/finding.ts';

/** Bonds that mature within this number of days are named. */
const soonDays = 30;
/** Terms that were compared with their sources longer ago are named. */
const reviewDaysMax = 365;

/**
 * Checks the terms of the bonds of a universe: those in doubt, those that nobody has reviewed for a year, those
 * that mature soon, and the bonds on a panel that have none. Faults of the file are found when it loads.
 */
export function checkTerms(universe: Universe, today: PlainDate): readonly Finding[] {
  const alive = universe.bondTerms.filter(({ maturity }) => maturity > today);
  return [
    doubts(alive),
    reviews(alive, today),
    soonMatured(alive, today),
    withoutTerms(universe, today),
  ];
}

function doubts(alive: readonly BondTerms[]): Finding {
  const doubtful = alive.filter(({ isVerified }) => !isVerified);
  if (doubtful.length === 0) return fine('doubts', 'All terms are verified.');
  return warning('doubts', 'Terms are in doubt. Their figures say so ("terminos en duda").', {
    todo: 'Compare them with the conditions of the issue, then write "verificado" into estado.',
    cases: doubtful.map(({ ticker }) => ticker),
  });
}

function reviews(alive: readonly BondTerms[], today: PlainDate): Finding {
  const limit = addDays(today, -reviewDaysMax);
  const old = alive.filter(({ reviewed }) => reviewed === undefined || reviewed < limit);
  if (old.length === 0) return fine('reviews', 'All terms were reviewed within a year.');
  return warning('reviews', 'Terms were not reviewed within a year.', {
    todo: 'Compare them with their sources, then write the day into revisado.',
    cases: old.map(({ ticker, reviewed }) => `${ticker}: ${reviewed ?? 'never'}`),
  });
}

function soonMatured(alive: readonly BondTerms[], today: PlainDate): Finding {
  const limit = addDays(today, soonDays);
  const soon = alive.filter(({ maturity }) => maturity <= limit);
  const named = soon.map(({ ticker, maturity }) => `${ticker} (${maturity})`).join(', ');
  const says =
    soon.length === 0 ? `No bond matures within ${soonDays} days.` : `Soon matured: ${named}.`;
  return fine('maturities', says);
}

function withoutTerms(universe: Universe, today: PlainDate): Finding {
  const bonds = new Bonds(universe);
  const lacking = universe
    .listOf('BONOS')
    .filter(({ kind, maturity }) => canMature(kind) && (maturity ?? '9999') > today)
    .filter((instrument) => bonds.of(instrument) === undefined);
  if (lacking.length === 0) return fine('without terms', 'All bonds of BONOS have terms.');
  return warning('without terms', 'Bonds of BONOS have no terms, so they have no figures.', {
    todo: 'Add a row to bonds.csv of the universe (docs/bonds.md), and reload the service (SIGHUP).',
    cases: lacking.map(({ ticker }) => ticker),
  });
}
