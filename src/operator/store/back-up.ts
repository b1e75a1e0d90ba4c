import { rm } from 'node:fs/promises';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import { flagName } from '../../config/settings/settings.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { CopySummary } from '../../store/contract/place.ts';
import { openPlace } from '../../node/place/open-place.ts';

export type { CopySummary };

/** Copies the store, as of one instant, into a new file. The store may be in use. */
export async function backUp(storeAt: string, file: string): Promise<CopySummary> {
  await using place = openPlace(storeAt);
  const summary = await place.backUp(file);
  const { rows } = summary;
  if (dataTables.some((table) => (rows[table] ?? 0) > 0)) return summary;
  await rm(file);
  throw new OperatorFault(
    `The store in ${place.name} has no closes, quotes, indices, corporate actions or keys, so no backup was made. Check ${flagName('store')}.`,
  );
}

/** The tables with what an operator would miss. The others describe it. */
const dataTables = ['closes', 'quotes', 'index_values', 'corporate_actions', 'api_keys'];

/** Restores a backup into a place without a store. */
export async function restore(storeAt: string, file: string): Promise<CopySummary> {
  await using place = openPlace(storeAt);
  return await place.restore(file, systemClock.now());
}
