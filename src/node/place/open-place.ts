import { systemClock } from '../../lib/time/clock.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { isPostgresUrl } from '../../store/postgres/target/postgres-url.ts';
import { PostgresPlace } from '../../store/postgres/postgres-place.ts';
import { StoreDamage } from '../../store/contract/store-fault.ts';
import { askLineages } from './ask-lineages.ts';
import { SqlitePlace } from '../../store/sqlite/sqlite-place.ts';

/**
 * The place that a value of the setting `store` names. Nothing is accessed yet. Only this file selects an
 * implementation of a store.
 *
 * @param damage where damage that is found is noted. Places of one service share it, if they are directories.
 *
 * @throws StoreFault `unavailable` when the URL of a database is wrong.
 */
export function openPlace(storeAt: string, damage = new StoreDamage()): StorePlace {
  if (!isPostgresUrl(storeAt)) return new SqlitePlace(storeAt, damage);
  return new PostgresPlace(storeAt, {
    environment: process.env,
    monotonic: () => systemClock.monotonic(),
    now: () => systemClock.now(),
    random: Math.random,
    askLineages,
  });
}
