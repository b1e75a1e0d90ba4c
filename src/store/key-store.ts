import type { ApiKeyRecord } from '../domain/api-key.ts';

/** Keeps API keys. Every method may reject with a {@link StoreFault}. */
export interface KeyStore {
  /** All keys, revoked and expired ones included, in order of creation, and the revision they are of. */
  readAll(): Promise<{ readonly revision: number; readonly keys: readonly ApiKeyRecord[] }>;

  /** The revision now: it rises with every change, by whatever process. Cheap to ask. */
  revision(): Promise<number>;

  /** Adds a key; durable when this resolves. Rejects when the id or the hash is there already. */
  insert(key: ApiKeyRecord): Promise<void>;

  /**
   * Marks a key as revoked; durable when this resolves. The first revocation stands. Gives false when
   * there is no such key.
   */
  revoke(id: string, at: number): Promise<boolean>;
}
