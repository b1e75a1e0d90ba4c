import { timingSafeEqual } from 'node:crypto';

import { keyStateAt } from '../domain/api-key.ts';
import type { ApiKeyRecord, KeyScope, KeyState } from '../domain/api-key.ts';
import { hashKey, isWellFormedKey } from './api-key.ts';
import { KeyUses } from './key-uses.ts';

/** Why a key opens nothing. For logs and metrics: the client is told the same in every case. */
type KeyRefusal = 'malformed' | 'unknown' | Exclude<KeyState, 'active'> | 'wrong-scope';

/** Whose key it is, or why it is nobody's. */
export type Authentication =
  | { readonly ok: true; readonly key: ApiKeyRecord }
  | { readonly ok: false; readonly reason: KeyRefusal };

interface Entry {
  readonly record: ApiKeyRecord;
  readonly digest: Uint8Array;
}

/** A key that opened something over a connection. */
interface Opened {
  readonly presented: string;
  readonly sha256: string;
}

/**
 * The keys that open something, in memory, so that no request waits for a store. Whoever owns the
 * ring replaces its records whenever the store's revision has risen.
 *
 * It is asked for the hash of what a client sent, so the time a look-up takes says nothing about any
 * key: to learn from it, one would have to find inputs with chosen SHA-256 prefixes, and would then
 * know a part of a hash.
 */
export class KeyRing {
  /** Which keys opened something; for whoever keeps that. */
  readonly uses = new KeyUses();
  #entries: ReadonlyMap<string, Entry> = new Map();
  readonly #opened = new WeakMap<object, Opened>();

  constructor(records: readonly ApiKeyRecord[] = []) {
    this.replace(records);
  }

  /** From now on these keys are known, and no others. */
  replace(records: readonly ApiKeyRecord[]): void {
    this.#entries = new Map(
      records.map((record) => [record.sha256, { record, digest: digestOf(record.sha256) }]),
    );
  }

  /**
   * Whose key a text is.
   *
   * @param now in epoch milliseconds.
   * @param scope what the key must open; a key opens its own side only.
   * @param connection where the text came from. A key that opened something over a connection is known
   *   there by its text, and not hashed again with every request; whether it still opens anything is
   *   looked up all the same. The comparison of the texts may tell something by its time, but only
   *   to one who shares the connection of the key's owner. The text is kept no longer than the
   *   connection.
   */
  authenticate(
    presented: string,
    now: number,
    scope: KeyScope = 'read',
    connection?: object,
  ): Authentication {
    const opened = connection === undefined ? undefined : this.#opened.get(connection);
    const isKnownHere = opened?.presented === presented;
    const entry = isKnownHere ? this.#entries.get(opened.sha256) : this.#find(presented);
    if (typeof entry === 'string') return refused(entry);
    if (entry === undefined) return refused('unknown');
    const reason = refusalOf(entry.record, now, scope);
    if (reason !== undefined) return refused(reason);
    this.uses.note(entry.record.id, now);
    if (connection !== undefined && !isKnownHere) {
      this.#opened.set(connection, { presented, sha256: entry.record.sha256 });
    }
    return { ok: true, key: entry.record };
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
   * Whether a key that opened something still would: for what stays open after its request.
   *
   * @param now in epoch milliseconds.
   */
  isLive({ sha256, scope }: ApiKeyRecord, now: number): boolean {
    const entry = this.#entries.get(sha256);
    return entry !== undefined && refusalOf(entry.record, now, scope) === undefined;
  }
}

/** Why a known key opens nothing now, or undefined when it does. */
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
