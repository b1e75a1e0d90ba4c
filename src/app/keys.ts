import { randomBytes } from 'node:crypto';
import { issueKey } from '../auth/issue-key.ts';
import type { ApiKeyRecord, KeyScope } from '../domain/api-key.ts';
import { systemClock } from '../lib/clock.ts';
import type { KeyStore } from '../store/key-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { OperatorFault } from './operator-fault.ts';

/** A key that was just made. The only time that anybody sees it. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
}

/** Makes a key and stores its hash. A running server honours it within a second or two. */
export async function createKey(
  dataDirectory: string,
  wish: {
    readonly name: string;
    readonly scope: KeyScope;
    readonly expiresAt?: number | undefined;
  },
): Promise<NewKey> {
  await using store = await openSqliteStore({ directory: dataDirectory });
  return addKey(store.keys, wish);
}

/** As {@link createKey}, in a store that is open. */
export async function addKey(
  keys: KeyStore,
  wish: {
    readonly name: string;
    readonly scope: KeyScope;
    readonly expiresAt?: number | undefined;
  },
): Promise<NewKey> {
  const { key, record } = issueKey(wish, { now: systemClock.now(), randomBytes });
  await keys.insert(record);
  return { id: record.id, key };
}

/** All keys that were ever made, without what opens anything. */
export async function listKeys(dataDirectory: string): Promise<readonly ApiKeyRecord[]> {
  await using store = await openSqliteStore({ directory: dataDirectory });
  return (await store.keys.readAll()).keys;
}

/**
 * Ends a key for good. A running server refuses it within a second or two.
 *
 * @throws OperatorFault when there is no such key.
 */
export async function revokeKey(dataDirectory: string, id: string): Promise<void> {
  await using store = await openSqliteStore({ directory: dataDirectory });
  if (await store.keys.revoke(id, systemClock.now())) return;
  throw new OperatorFault(`There is no key ${JSON.stringify(id)}; "pizarra keys list" shows them.`);
}
