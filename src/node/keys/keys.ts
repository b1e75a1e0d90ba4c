import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostname, userInfo } from 'node:os';

import { issueKey, type KeyProperties } from '../../auth/issue-key.ts';
import { keyStateAt, type ApiKeyRecord } from '../../domain/access/api-key.ts';
import { applyKeyChange, type KeyChange } from '../../domain/access/key-change.ts';
import { urlKeyFault } from '../../domain/access/url-key.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { KeyStore } from '../../store/contract/key-store.ts';
import type { LiveNode } from '../../store/contract/nodes.ts';
import type { OpenMode, StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { OperatorFault, UsageFault } from '../../lib/reports/operator-fault.ts';
import { openPlace } from '../place/open-place.ts';

/** A key that was just created. It is never shown again. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
}

/** A key that was just created to replace another. */
export interface RotatedKey extends NewKey {
  readonly replaces: string;
  /** When the replaced key ends, in epoch milliseconds. */
  readonly oldEndsAt: number;
}

/** Time within which all processes of a service apply changed keys, in milliseconds. */
const appliedAfterMs: Readonly<Record<StorePlace['kind'], number>> = {
  sqlite: 250,
  // A lost hint costs the time until the next poll.
  postgres: 1_000,
};

/** Waits until all running nodes of a place have applied a change of the keys. */
export async function untilKeysApply(place: StorePlace): Promise<void> {
  const isRunning = (await place.holder()) !== undefined || (await place.nodes.live()).length > 0;
  if (isRunning) await sleep(appliedAfterMs[place.kind]);
}

/** The nodes of a place that serve the public API. */
export interface ServingNodes {
  readonly place: string;
  readonly nodes: readonly LiveNode[];
}

/** Reads which nodes serve the public API of a place now. */
export async function servingNodes(storeAt: string): Promise<ServingNodes> {
  await using place = openPlace(storeAt);
  const nodes = await place.nodes.live();
  return { place: place.name, nodes: nodes.filter(({ url }) => url !== '') };
}

/** Changes keys, and waits until a running service applies the change. */
async function changeKeys<T>(
  storeAt: string,
  change: (keys: KeyStore) => Promise<T>,
  mode: OpenMode = 'write',
): Promise<T> {
  await using place = openPlace(storeAt);
  await using store = await place.open({ mode });
  const changed = await change(store.keys);
  await untilKeysApply(place);
  return changed;
}

/**
 * Creates a key and stores its hash. It creates the store if none exists, so that an operator can
 * create a key before the first start. A running service accepts the key when the promise resolves.
 *
 * @param person who creates it, for the audit log ({@link commandLineActor}).
 */
export function createKey(storeAt: string, wish: KeyProperties, person?: string): Promise<NewKey> {
  const add = (keys: KeyStore): Promise<NewKey> => addKey(keys, wish, commandLineActor(person));
  return changeKeys(storeAt, add, 'create');
}

/**
 * As {@link createKey}, in an open store.
 *
 * @throws UsageFault when a key for URLs would have no expiry, one that is too late, or no limit.
 */
export async function addKey(keys: KeyStore, wish: KeyProperties, who: string): Promise<NewKey> {
  const now = systemClock.now();
  const { key, record } = issueKey(wish, { now, randomBytes });
  const fault = urlKeyFault(record, now);
  if (fault !== undefined) throw new UsageFault(fault);
  await keys.insert(record, who);
  return { id: record.id, key };
}

/**
 * Finds a key, and the key that replaced it if that one is not revoked.
 *
 * @throws OperatorFault when the key does not exist.
 */
export function findKey(
  keys: readonly ApiKeyRecord[],
  id: string,
): { readonly key: ApiKeyRecord; readonly replacedBy: string | undefined } {
  return { key: keyIn(keys, id), replacedBy: replacementOf(keys, id)?.id };
}

/**
 * Changes a key. A running service applies the change when the promise resolves. Gives false when the
 * key already was as requested.
 *
 * @throws OperatorFault when the key does not exist, is revoked and cannot change, or is a key for URLs
 *   that would have no expiry, one that is too late, or no limit.
 */
export async function changeKey(
  storeAt: string,
  id: string,
  change: KeyChange,
  person?: string,
): Promise<boolean> {
  const note = { who: commandLineActor(person), at: systemClock.now() };
  const outcome = await changeKeys(storeAt, async (keys) => {
    if (change.type === 'set-end' || change.type === 'set-limit') {
      refuseBrokenRules((await keys.readAll()).keys, id, change, note.at);
    }
    return keys.change(id, change, note);
  });
  switch (outcome) {
    case 'changed':
      return true;
    case 'unchanged':
      return false;
    case 'revoked':
      if (change.type === 'revoke') return false;
      throw new OperatorFault(
        `Key ${id} is revoked and cannot be changed. Create a new key instead.`,
      );
    case 'unknown':
      throw unknownKey(id);
  }
}

/**
 * Creates a key that replaces another, with the same name, scope, labels, allowance and expiry. Both
 * are valid until the old key ends: after `overlapMs`, or at its expiry if that is earlier.
 *
 * @throws OperatorFault when the key does not exist, is not active, or was replaced before.
 */
export async function rotateKey(
  storeAt: string,
  id: string,
  { overlapMs, person }: { readonly overlapMs: number; readonly person?: string | undefined },
): Promise<RotatedKey> {
  return changeKeys(storeAt, async (store) => {
    const now = systemClock.now();
    const { keys } = await store.readAll();
    const old = keyIn(keys, id);
    const state = keyStateAt(old, now);
    if (state !== 'active') {
      throw new OperatorFault(`Key ${id} is ${state}. Only an active key can be rotated.`);
    }
    const { key, record } = issueKey(old, { now, randomBytes });
    const oldEndsAt = Math.min(now + overlapMs, old.expiresAt ?? Number.POSITIVE_INFINITY);
    const successor = { ...record, replaces: id, family: old.family ?? id };
    const rotated = await store
      .rotate(successor, oldEndsAt, commandLineActor(person))
      .catch((fault: unknown) => refuseSecondRotation(fault, id, replacementOf(keys, id)?.id));
    if (rotated !== 'changed') throw unknownKey(id);
    return { id: record.id, key, replaces: id, oldEndsAt };
  });
}

/** @throws OperatorFault when the changed key would break a rule of keys for URLs. */
function refuseBrokenRules(
  keys: readonly ApiKeyRecord[],
  id: string,
  change: KeyChange,
  now: number,
): void {
  const key = keys.find((one) => one.id === id);
  if (key === undefined || key.revokedAt !== undefined) return;
  const fault = urlKeyFault(applyKeyChange(key, change, now), now);
  if (fault !== undefined) throw new OperatorFault(`Key ${id} cannot be changed. ${fault}`);
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
  throw new OperatorFault(`Key ${id} was already replaced${by}. Rotate its replacement instead.`, {
    cause: fault,
  });
}

function unknownKey(id: string): OperatorFault {
  return new OperatorFault(
    `There is no key ${JSON.stringify(id)}. "pizarra keys list" lists all keys.`,
  );
}

/** The actor in the audit log for changes by the service. */
export const serviceActor = 'serve';

/** The actor in the audit log for changes by a program that embeds the service (docs/embedding.md). */
export const embedderActor = 'embedder';

/** The form of a person's name in the audit log. Without white space, so that no name looks like two. */
export const personForm = '1 to 64 letters, digits and the characters . _ @ + -';

const personPattern = /^[\p{L}\d][\p{L}\d._@+-]{0,63}$/u;

/** Whether a text may name a person in the audit log. */
export function isPersonName(text: string): boolean {
  return personPattern.test(text);
}

/**
 * The actor in the audit log for changes by a command: the person, where one is known, and the user,
 * machine and process. Several people may run commands as one user, usually with sudo, which then names
 * the person in `SUDO_USER`.
 *
 * @param person the name that the operator gave. It is a statement, which nothing proves.
 */
export function commandLineActor(
  person?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const user = userName();
  const sudoUser = safeName(environment['SUDO_USER']);
  const people = [person, sudoUser === user ? undefined : sudoUser].filter(
    (name, at, all) => name !== undefined && all.indexOf(name) === at,
  );
  return [...people, `${user}@${hostname()} cli[${process.pid}]`].join(' via ');
}

/** A name of the environment, with a replacement for each character that a name cannot have. */
function safeName(name: string | undefined): string | undefined {
  if (name === undefined || name === '') return undefined;
  return name.slice(0, 64).replaceAll(/[^\p{L}\d._@+$\\-]/gu, '_');
}

/** The name of the user. In a container a user may have an id without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
