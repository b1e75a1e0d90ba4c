import { hostname } from 'node:os';
import { openPlace } from '../../node/place/open-place.ts';
import { requireUnserved } from './require-unserved.ts';

/** The result of an upgrade. */
export interface StoreMigration {
  readonly name: string;
  /** The schema before and after. They are equal if nothing had to be done. */
  readonly before: number;
  readonly after: number;
}

/**
 * Upgrades the schema of a store on which no service runs. A service does the same when it starts.
 *
 * @throws {OperatorFault} when a service runs on the place.
 * @throws {StoreFault} when there is no store, or it cannot be upgraded. Then it is unchanged.
 */
export async function migrateStore(storeAt: string): Promise<StoreMigration> {
  await using place = openPlace(storeAt);
  const { schema: before } = await place.inspect();
  await requireUnserved(place);
  await using claim = await place.claim({ id: `migrate-${process.pid}`, name: hostname() });
  await using _ = await place.open({ mode: 'write', claim, isResponsive: false });
  const { schema: after } = await place.inspect();
  return { name: place.name, before, after };
}
