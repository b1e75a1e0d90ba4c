import type { Universe } from '../../domain/instruments/universe.ts';
import { formatUniverseFaults } from '../../universe/files/universe-fault.ts';
import { loadUniverse } from '../../universe/load-universe.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';

/**
 * Loads the universe of a directory.
 *
 * @throws OperatorFault that lists every fault of the files.
 */
export async function requireUniverse(directory: string): Promise<Universe> {
  const loaded = await loadUniverse(directory);
  if (loaded.ok) return loaded.universe;
  const faults = formatUniverseFaults(loaded.faults);
  throw new OperatorFault(`The universe in ${directory} has faults:\n${faults}`);
}
