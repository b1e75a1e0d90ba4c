import type { ApiKeyRecord } from '../../domain/access/api-key.ts';
import type { ChangeNote, KeyChange, KeyEvent } from '../../domain/access/key-change.ts';
import type { Revisioned } from './versioned-stores.ts';

/**
 * The outcome of a change. `unchanged`: the key had the requested state already. `revoked`: the key
 * was revoked before, so it cannot change. `unknown`: the key does not exist.
 */
export type KeyChangeOutcome = 'changed' | 'unchanged' | 'revoked' | 'unknown';

/** When a key was last used, in epoch milliseconds. */
interface KeyUse {
  readonly id: string;
  readonly at: number;
}

/** All keys in order of creation, and all lines of the audit log, oldest first. */
export interface KeyContent {
  readonly keys: readonly ApiKeyRecord[];
  readonly events: readonly KeyEvent[];
}

/**
 * Stores API keys, and an audit log of who changed them. A change and its line in the audit log are one
 * transaction, which is durable when the method resolves. Reading keys and noting uses is not logged.
 * Every method may reject with a {@link StoreFault}.
 */
export interface KeyStore extends Revisioned {
  /** All keys in order of creation, including revoked and expired ones, with their revision. */
  readAll(): Promise<{ readonly revision: number; readonly keys: readonly ApiKeyRecord[] }>;

  /**
   * Adds a key. Rejects with `conflict` when the id or the hash exists already, or when the key that it
   * replaces already has a replacement that is not revoked.
   */
  insert(key: ApiKeyRecord, who: string): Promise<void>;

  /** Changes a key by the rules of `applyKeyChange`. */
  change(id: string, change: KeyChange, note: ChangeNote): Promise<KeyChangeOutcome>;

  /**
   * Adds a key that replaces another one, and sets the expiry of the old key to `oldEndsAt` (epoch
   * milliseconds), in one transaction. With any outcome other than `changed`, nothing was stored.
   * Rejects as {@link insert} does.
   */
  rotate(
    key: ApiKeyRecord & { readonly replaces: string },
    oldEndsAt: number,
    who: string,
  ): Promise<KeyChangeOutcome>;

  /**
   * Adds keys and lines of the audit log as they are, in one transaction, to a store that has neither.
   * Rejects with `conflict` when it has.
   */
  restore(content: KeyContent): Promise<void>;

  /** Stores when keys were last used. The revision does not increase. */
  noteUses(uses: readonly KeyUse[]): Promise<void>;

  /** The last `max` lines of the audit log, of one key or of all keys, oldest first. */
  readEvents(options: {
    readonly max: number;
    readonly keyId?: string;
  }): Promise<readonly KeyEvent[]>;
}
