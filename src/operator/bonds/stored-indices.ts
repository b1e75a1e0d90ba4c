import type { Bond } from '../../domain/bonds/bond.ts';
import { valuesOf, type IndexValues } from '../../domain/bonds/index-growth.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { openExisting } from '../store/open-existing.ts';

/**
 * The stored values of the indices that a bond needs. None if it needs none or if no store exists yet. The store
 * is only opened for a bond that needs it.
 *
 * @throws StoreFault when the store cannot be read.
 */
export async function storedIndices({ terms }: Bond, storeAt: string): Promise<IndexValues> {
  if (terms.indexation === undefined) return () => undefined;
  await using place = openPlace(storeAt);
  await using store = await openExisting(place);
  if (store === undefined) return () => undefined;
  const { revision, values } = await store.indices.readAll();
  return valuesOf(new IndexSeries(revision, values));
}
