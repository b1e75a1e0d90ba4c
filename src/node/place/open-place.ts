import { systemClock } from '../../lib/time/clock.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { isPostgresUrl } from '../../store/postgres/target/postgres-url.ts';
import { PostgresPlace } from '../../store/postgres/postgres-place.ts';
import { StoreDamage } from '../../store/contract/store-fault.ts';
import { SqlitePlace } from '../../store/sqlite/sqlite-place.ts';
import { lineField } from '../../http/handler/peer-fields.ts';
import type { NodeRecord, PeerLineage } from '../../store/contract/nodes.ts';
import { ask, fieldOf } from '../../lib/network/ask.ts';

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

/**
 * Asks nodes what they know of the history of their database. Both listeners tell it in `/healthz`, without a key.
 * A node whose private listener is not reachable from other machines is asked at the public one.
 */
export async function askLineages(
  nodes: readonly NodeRecord[],
  withinMs: number,
): Promise<readonly PeerLineage[]> {
  const answers = await Promise.all(nodes.map((node) => askOne(node, withinMs)));
  return answers.filter((one) => one !== undefined);
}

async function askOne(node: NodeRecord, withinMs: number): Promise<PeerLineage | undefined> {
  const { advertisedUrl, advertisedPrivateUrl } = node;
  const urls = [advertisedUrl, advertisedPrivateUrl].filter((one) => one !== '');
  try {
    return await Promise.any(urls.map((one) => lineageAt(one, withinMs)));
  } catch {
    // None of them responds in time, or knows anything.
    return undefined;
  }
}

async function lineageAt(url: string, withinMs: number): Promise<PeerLineage> {
  const { body, headers } = await ask(`${url}/healthz`, { withinMs });
  const lineage = headers[lineField];
  const instance = fieldOf(body, 'instancia') ?? fieldOf(body, 'instance');
  if (typeof lineage !== 'string' || typeof instance !== 'string') {
    throw new Error('the node does not know its line');
  }
  return { instance, lineage };
}
