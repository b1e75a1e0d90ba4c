import { maturedAt, type MaturedInstrument } from '../../domain/instruments/maturity.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { fine, warning, type Finding } from '../../lib/reports/finding.ts';

/**
 * Checks that no panel has an instrument that has matured: it never trades again, and its last price
 * would stay on boards. One that is in no panel was left in the universe for its history.
 */
export function checkMaturities(universe: Universe, now: number): Finding {
  const matured = maturedAt(universe, now);
  const shown = matured.filter(({ panels }) => panels.length > 0);
  const rest = matured.filter(({ panels }) => panels.length === 0);
  const kept =
    rest.length === 0
      ? ''
      : ` In no panel, matured and served for their history: ${rest.map(nameOf).join(', ')}.`;
  if (shown.length === 0) {
    return fine('maturities', `No panel has an instrument that has matured.${kept}`);
  }
  return warning('maturities', `Panels have instruments that have matured.${kept}`, {
    todo: 'Remove the panels from their rows in instruments.csv of the universe, or delete the rows, and reload the service (SIGHUP). Their history is kept.',
    cases: shown.map((one) => `${nameOf(one)}: matured, in ${one.panels.join(', ')}`),
  });
}

function nameOf({ instrument, maturity }: MaturedInstrument): string {
  return `${instrument.ticker} (${maturity})`;
}
