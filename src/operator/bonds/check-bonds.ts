import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Bonds } from '../../domain/bonds/bonds.ts';
import { warning, type Finding } from '../../lib/reports/finding.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';
import { universeFiles } from '../../universe/files/universe-fault.ts';
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
  return {
    issues: universe.bondTerms.length,
    findings: [...(await checkEnd(directory)), ...findings],
  };
}

/** A file that was cut within its last cell has as many cells as a whole one. */
async function checkEnd(directory: string): Promise<readonly Finding[]> {
  // The universe was loaded: a file that cannot be read does not exist.
  const bytes = await readFile(join(directory, universeFiles.bonds)).catch(() => undefined);
  if (bytes === undefined || bytes.at(-1) === lineFeed) return [];
  return [
    warning(
      'end of file',
      `${universeFiles.bonds} does not end with a line break: it may have been cut within its last row.`,
      { todo: 'Compare the last row with its source, and end it with a line break.' },
    ),
  ];
}

const lineFeed = 10;
