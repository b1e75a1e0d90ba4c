import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey } from '../../auth/issue-key.ts';
import type { KeyWish } from '../../auth/issue-key.ts';
import { keyStateAt } from '../../domain/api-key.ts';
import type { ApiKeyRecord } from '../../domain/api-key.ts';
import type { KeyChange, KeyEvent } from '../../domain/key-change.ts';
import { systemClock } from '../../lib/clock.ts';
import type { KeyStore } from '../../store/key-store.ts';
import { StoreFault } from '../../store/store-fault.ts';
import { isServed } from '../../store/sqlite/claim-directory.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { OpenMode } from '../../store/sqlite/sqlite-store.ts';
import { commandLineActor } from './key-actor.ts';
import { OperatorFault } from '../operator-fault.ts';

/** A key that was just made. The only time that anybody sees it. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
}

/** A key that was just made in place of another. */
export interface RotatedKey extends NewKey {
  readonly replaces: string;
  /** When the one before it ends, in epoch milliseconds. */
  readonly oldEndsAt: number;
}

/** Longer than every process of a service takes to notice that keys have changed, in milliseconds. */
export const noticedAfterMs = 250;

/** Changes keys, and comes back when a running service has noticed. */
async function changeKeys<T>(
  dataDirectory: string,
  change: (keys: KeyStore) => Promise<T>,
  mode: OpenMode = 'write',
): Promise<T> {
  await using store = await openSqliteStore({ directory: dataDirectory, mode });
  const changed = await change(store.keys);
  if (isServed(dataDirectory)) await sleep(noticedAfterMs);
  return changed;
}

/**
 * Creates a key and stores its hash, in a new store where there is none yet: so an operator can have
 * a key before the first start. A running service accepts the key when this resolves.
 */
export function createKey(dataDirectory: string, wish: KeyWish): Promise<NewKey> {
  const add = (keys: KeyStore): Promise<NewKey> => addKey(keys, wish, commandLineActor());
  return changeKeys(dataDirectory, add, 'create');
}

/** As {@link createKey}, in a store that is open. */
export async function addKey(keys: KeyStore, wish: KeyWish, who: string): Promise<NewKey> {
  const { key, record } = issueKey(wish, { now: systemClock.now(), randomBytes });
  await keys.insert(record, who);
  return { id: record.id, key };
}

/** All keys that were ever made, without what opens anything. */
export async function listKeys(dataDirectory: string): Promise<readonly ApiKeyRecord[]> {
  await using store = await openSqliteStore({ directory: dataDirectory, mode: 'read' });
  return (await store.keys.readAll()).keys;
}

/**
 * One key, and the one that replaced it and is not revoked.
 *
 * @throws OperatorFault when there is no such key.
 */
export async function findKey(
  dataDirectory: string,
  id: string,
): Promise<{ readonly key: ApiKeyRecord; readonly replacedBy: string | undefined }> {
  await using store = await openSqliteStore({ directory: dataDirectory, mode: 'read' });
  const { keys } = await store.keys.readAll();
  return { key: keyIn(keys, id), replacedBy: replacementOf(keys, id)?.id };
}

/**
 * Does something to a key. A running service honours it when this resolves. Gives whether there
 * was anything to change.
 *
 * @throws OperatorFault when there is no such key, or it is revoked and changes no more.
 */
export async function changeKey(
  dataDirectory: string,
  id: string,
  change: KeyChange,
): Promise<boolean> {
  const note = { who: commandLineActor(), at: systemClock.now() };
  switch (await changeKeys(dataDirectory, (keys) => keys.change(id, change, note))) {
    case 'changed':
      return true;
    case 'unchanged':
      return false;
    case 'revoked':
      if (change.type === 'revoke') return false;
      throw new OperatorFault(`Key ${id} is revoked, for good; it changes no more.`);
    case 'unknown':
      throw unknownKey(id);
  }
}

/**
 * Makes a key in place of another, with the same name, scope, labels, allowance and expiry. Both
 * open the same until the old one ends, `overlapMs` from now or at its own expiry if that is sooner.
 *
 * @throws OperatorFault when there is no such key, it opens nothing now, or it was replaced before.
 */
export async function rotateKey(
  dataDirectory: string,
  id: string,
  { overlapMs }: { readonly overlapMs: number },
): Promise<RotatedKey> {
  return changeKeys(dataDirectory, async (store) => {
    const now = systemClock.now();
    const { keys } = await store.readAll();
    const old = keyIn(keys, id);
    const state = keyStateAt(old, now);
    if (state !== 'active') {
      throw new OperatorFault(`Key ${id} is ${state}; only an active key can be rotated.`);
    }
    const { key, record } = issueKey(old, { now, randomBytes });
    const oldEndsAt = Math.min(now + overlapMs, old.expiresAt ?? Number.POSITIVE_INFINITY);
    const successor = { ...record, replaces: id, family: old.family ?? id };
    const rotated = await store
      .rotate(successor, oldEndsAt, commandLineActor())
      .catch((fault: unknown) => refuseSecondRotation(fault, id, replacementOf(keys, id)?.id));
    if (rotated !== 'changed') throw unknownKey(id);
    return { id: record.id, key, replaces: id, oldEndsAt };
  });
}

/** The last lines of the audit log, of one key or of all, the oldest first. */
export async function readKeyEvents(
  dataDirectory: string,
  options: { readonly max: number; readonly keyId?: string },
): Promise<readonly KeyEvent[]> {
  await using store = await openSqliteStore({ directory: dataDirectory, mode: 'read' });
  return store.keys.readEvents(options);
}

function keyIn(keys: readonly ApiKeyRecord[], id: string): ApiKeyRecord {
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw unknownKey(id);
  return key;
}

function replacementOf(keys: readonly ApiKeyRecord[], id: string): ApiKeyRecord | undefined {
  return keys.findLast(({ replaces, revokedAt }) => replaces === id && revokedAt === undefined);
}

function refuseSecondRotation(fault: unknown, id: string, replacement: string | undefined): never {
  if (!(fault instanceof StoreFault) || fault.code !== 'conflict') throw fault;
  const by = replacement === undefined ? '' : ` by ${replacement}`;
  throw new OperatorFault(`Key ${id} was replaced already${by}; rotate that one.`, {
    cause: fault,
  });
}

function unknownKey(id: string): OperatorFault {
  return new OperatorFault(
    `There is no key ${JSON.stringify(id)}; "pizarra keys list" shows them.`,
  );
}
