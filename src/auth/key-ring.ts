import { timingSafeEqual } from 'node:crypto';

import {
  keyStateAt,
  type ApiKeyRecord,
  type KeyScope,
  type KeyState,
} from '../domain/access/api-key.ts';
import { hashKey, isWellFormedKey } from './api-key.ts';

/** Why a key is refused, for logs and metrics. The client receives the same error in every case. */
export type KeyRefusal = 'malformed' | 'unknown' | Exclude<KeyState, 'active'> | 'wrong-scope';

/** The record of an accepted key, or the reason why the key is refused. */
type Authentication =
  | { readonly ok: true; readonly key: ApiKeyRecord }
  | { readonly ok: false; readonly reason: KeyRefusal };

interface Entry {
  readonly record: ApiKeyRecord;
  readonly digest: Uint8Array;
}

/** The key that was last accepted on a connection. */
interface AcceptedKey {
  readonly presented: string;
  readonly sha256: string;
}

/**
 * The API keys in memory, so that no request waits for a store. The owner of the ring replaces its
 * records whenever the store's revision has increased.
 *
 * A look-up uses the hash of the text that the client sent, so its duration reveals nothing about a
 * key. An attacker would have to find inputs with chosen SHA-256 prefixes, and would then learn only
 * a part of a hash.
 */
export class KeyRing {
  /** Which keys were used and when. The owner of the ring stores it. */
  readonly uses = new KeyUses();
  /**
   * Whether the store has not confirmed the keys for so long that they may have been revoked meanwhile.
   * The owner of the ring sets it. Then no key is live.
   */
  isUnconfirmed = false;
  #entries: ReadonlyMap<string, Entry> = new Map();
  readonly #accepted = new WeakMap<object, AcceptedKey>();

  constructor(records: readonly ApiKeyRecord[] = []) {
    this.replace(records);
  }

  /** Replaces all keys of the ring. */
  replace(records: readonly ApiKeyRecord[]): void {
    this.#entries = new Map(
      records.map((record) => [record.sha256, { record, digest: digestOf(record.sha256) }]),
    );
  }

  /**
   * Identifies the key that a client presented.
   *
   * @param now in epoch milliseconds.
   * @param scope the scope that the request needs. A key has exactly one scope.
   * @param connection the connection on which the text arrived. A text that was accepted on a
   *   connection is compared with the next one there, instead of hashing it with every request.
   *   Whether its key is still valid is looked up each time. The comparison does not take constant
   *   time, but only a client on the same connection could measure it. The text is stored no longer
   *   than the connection exists. For a proxy, a request that it repeats takes the place of the connection.
   */
  authenticate(
    presented: string,
    now: number,
    scope: KeyScope = 'read',
    connection?: object,
  ): Authentication {
    const accepted = connection === undefined ? undefined : this.#accepted.get(connection);
    const isKnownHere = accepted?.presented === presented;
    const entry = isKnownHere ? this.#entries.get(accepted.sha256) : this.#find(presented);
    if (typeof entry === 'string') return refused(entry);
    if (entry === undefined) return refused('unknown');
    const reason = refusalOf(entry.record, now, scope);
    if (reason !== undefined) return refused(reason);
    this.uses.note(entry.record.id, now);
    if (connection !== undefined && !isKnownHere) {
      this.#accepted.set(connection, { presented, sha256: entry.record.sha256 });
    }
    return { ok: true, key: entry.record };
  }

  /**
   * The record of an active key, whatever its scope. It is no use of the key, and admits nothing: it tells
   * which key arrived in a wrong place.
   *
   * @param now in epoch milliseconds.
   */
  identify(presented: string, now: number): ApiKeyRecord | undefined {
    const entry = this.#find(presented);
    if (typeof entry === 'string') return undefined;
    return keyStateAt(entry.record, now) === 'active' ? entry.record : undefined;
  }

  #find(presented: string): Entry | KeyRefusal {
    if (!isWellFormedKey(presented)) return 'malformed';
    const sha256 = hashKey(presented);
    const entry = this.#entries.get(sha256);
    return entry !== undefined && timingSafeEqual(entry.digest, digestOf(sha256))
      ? entry
      : 'unknown';
  }

  /**
   * Whether a key that was accepted is still valid. Streams stay open after their request, so they
   * check again.
   *
   * @param now in epoch milliseconds.
   */
  isLive({ sha256, scope }: ApiKeyRecord, now: number): boolean {
    if (this.isUnconfirmed) return false;
    const entry = this.#entries.get(sha256);
    return entry !== undefined && refusalOf(entry.record, now, scope) === undefined;
  }
}

/** Why a known key is refused now; undefined when it is accepted. */
function refusalOf(record: ApiKeyRecord, now: number, scope: KeyScope): KeyRefusal | undefined {
  const state = keyStateAt(record, now);
  if (state !== 'active') return state;
  return record.scope === scope ? undefined : 'wrong-scope';
}

function refused(reason: KeyRefusal): Authentication {
  return { ok: false, reason };
}

function digestOf(sha256: string): Uint8Array {
  return Buffer.from(sha256, 'hex');
}

/** Resolution of a use, in milliseconds. One hour is enough to find keys that are no longer used. */
const resolutionMs = 3_600_000;

/** A key that was used, and the start of the hour in which it was used, in epoch milliseconds. */
interface NotedUse {
  readonly id: string;
  readonly at: number;
}

/**
 * Which keys were used, by the hour. Noting a use costs one look-up. Only the first use of a key in
 * an hour becomes pending. The owner takes the pending uses periodically and stores them. There is at
 * most one entry for each key that was used.
 */
export class KeyUses {
  readonly #hours = new Map<string, number>();
  #pending = new Map<string, number>();

  /** Notes that a key was used now, in epoch milliseconds. */
  note(id: string, now: number): void {
    const hour = Math.floor(now / resolutionMs) * resolutionMs;
    if (this.#hours.get(id) === hour) return;
    this.#hours.set(id, hour);
    this.#pending.set(id, hour);
  }

  /** Returns the pending uses and removes them. */
  take(): readonly NotedUse[] {
    const taken = [...this.#pending].map(([id, at]) => ({ id, at }));
    this.#pending = new Map();
    return taken;
  }

  /**
   * Makes uses pending that could not be stored, or that another process noted. A newer pending use
   * of the same key stays.
   */
  giveBack(uses: readonly NotedUse[]): void {
    for (const { id, at } of uses) {
      if (at > (this.#pending.get(id) ?? -Infinity)) this.#pending.set(id, at);
    }
  }
}
