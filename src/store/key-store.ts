import type { ApiKeyRecord } from '../domain/api-key.ts';
import type { ChangeNote, KeyChange, KeyEvent } from '../domain/key-change.ts';

/**
 * What became of a change. `unchanged`: the key was that way already; `revoked`: it was revoked
 * before, and changes no more; `unknown`: there is no such key.
 */
export type KeyChangeOutcome = 'changed' | 'unchanged' | 'revoked' | 'unknown';

/** When a key was last used, in epoch milliseconds. */
export interface KeyUse {
  readonly id: string;
  readonly at: number;
}

/**
 * Keeps API keys, and an audit log of who changed them. A change and its line in the log are one
 * transaction, durable when the method resolves; nothing that only reads or counts is in the log.
 * Every method may reject with a {@link StoreFault}.
 */
export interface KeyStore {
  /** All keys, revoked and expired ones included, in order of creation, and the revision they are of. */
  readAll(): Promise<{ readonly revision: number; readonly keys: readonly ApiKeyRecord[] }>;

  /** The revision now: it rises with every change, by whatever process. Cheap to ask. */
  revision(): Promise<number>;

  /**
   * Adds a key. Rejects with `conflict` when the id or the hash is there already, or the key that
   * this one replaces was replaced already by one that is not revoked.
   */
  insert(key: ApiKeyRecord, who: string): Promise<void>;

  /** Does something to a key, by the rules of `applyKeyChange`. */
  change(id: string, change: KeyChange, note: ChangeNote): Promise<KeyChangeOutcome>;

  /**
   * Adds a key in place of another, which ends at `oldEndsAt` (epoch milliseconds), in one
   * transaction. Anything but `changed` means that nothing was done. Rejects as {@link insert} does.
   */
  rotate(
    key: ApiKeyRecord & { readonly replaces: string },
    oldEndsAt: number,
    who: string,
  ): Promise<KeyChangeOutcome>;

  /** Notes when keys were last used. That is no change of a key: the revision stays. */
  noteUses(uses: readonly KeyUse[]): Promise<void>;

  /** The last `max` lines of the audit log, of one key or of all, the oldest first. */
  readEvents(options: {
    readonly max: number;
    readonly keyId?: string;
  }): Promise<readonly KeyEvent[]>;
}
