import { systemClock } from '../../lib/time/clock.ts';
import type { CopySummary } from '../../store/contract/place.ts';
import { openPlace } from '../../node/place/open-place.ts';

export type { CopySummary };

/** Copies the store, as of one instant, into a new file. The store may be in use. */
export async function backUp(storeAt: string, file: string): Promise<CopySummary> {
  await using place = openPlace(storeAt);
  return await place.backUp(file);
}

/** Restores a backup into a place without a store. */
export async function restore(storeAt: string, file: string): Promise<CopySummary> {
  await using place = openPlace(storeAt);
  return await place.restore(file, systemClock.now());
}
