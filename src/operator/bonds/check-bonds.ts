import { Bonds } from '../../domain/bonds/bonds.ts';
import type { Finding } from '../../lib/reports/finding.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';
import { checkTerms, dayOfBonds, noTerms } from './check-terms.ts';

/** The terms of a universe without faults, and what of them needs attention. */
export interface BondsReport {
  readonly issues: number;
  readonly findings: readonly Finding[];
}

/**
 * Loads the terms of a universe and checks them.
 *
 * @throws OperatorFault that lists every fault of the files.
 */
export async function checkBonds(directory: string, now: number): Promise<BondsReport> {
  const universe = await requireUniverse(directory);
  const today = dayOfBonds(universe, now);
  const findings =
    today === undefined ? [noTerms] : checkTerms({ universe, bonds: new Bonds(universe), today });
  return { issues: universe.bondTerms.length, findings };
}
