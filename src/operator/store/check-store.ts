import type { StoreInspection } from '../../store/contract/place.ts';
import { openPlace } from '../../node/place/open-place.ts';
import {
  compareStores,
  digestStore,
  type StoreComparison,
  type TableDigest,
} from './compare-stores.ts';

/** The result of checking one store. */
export interface StoreCheck {
  readonly name: string;
  readonly inspection: StoreInspection;
  readonly tables: readonly TableDigest[];
}

/**
 * Reads a whole store, checks it for damage, and digests its rows. It changes nothing, and a service may
 * be running. Equal stores of any kind have equal digests.
 *
 * @throws {StoreFault} when the store is damaged or cannot be read.
 */
export async function checkStore(storeAt: string): Promise<StoreCheck> {
  await using place = openPlace(storeAt);
  const inspection = await place.inspect();
  await place.check(new AbortController().signal);
  await using store = await place.open({ mode: 'read' });
  return { name: place.name, inspection, tables: await digestStore(store) };
}

/**
 * Compares two stores row by row. It changes nothing. A service that writes meanwhile makes them differ.
 *
 * @throws {StoreFault} when one of them cannot be read.
 */
export async function checkStores(
  oneAt: string,
  otherAt: string,
): Promise<StoreComparison & { readonly names: readonly [string, string] }> {
  await using one = openPlace(oneAt);
  await using other = openPlace(otherAt);
  await using first = await one.open({ mode: 'read' });
  await using second = await other.open({ mode: 'read' });
  return { ...(await compareStores(first, second)), names: [one.name, other.name] };
}
