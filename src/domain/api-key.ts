/** What a key opens: the public contract, the push of updates, or the metrics. */
export const keyScopes = ['read', 'ingest', 'metrics'] as const;

/** One scope; each opens only its own side. */
export type KeyScope = (typeof keyScopes)[number];

/** What is known of an API key. The key itself is nowhere: only its SHA-256 is. */
export interface ApiKeyRecord {
  /** Public, short, and safe to log. */
  readonly id: string;
  /** Who or what it was made for. */
  readonly name: string;
  readonly scope: KeyScope;
  /** SHA-256 of the whole key, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Instants in epoch milliseconds. */
  readonly createdAt: number;
  /** From this instant on it opens nothing. */
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}
