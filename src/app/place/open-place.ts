import type { StorePlace } from '../../store/place.ts';
import { SqlitePlace } from '../../store/sqlite/sqlite-place.ts';

/**
 * The place that a value of the setting `store` names. Nothing is accessed yet. Only this file selects an
 * implementation of a store.
 */
export function openPlace(storeAt: string): StorePlace {
  return new SqlitePlace(storeAt);
}
