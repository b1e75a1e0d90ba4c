import type { Allowance } from './rate-limit.ts';

/** What a key opens: the public contract, the push of updates, or the metrics. */
export const keyScopes = ['read', 'ingest', 'metrics'] as const;

/** One scope; each opens only its own side. */
export type KeyScope = (typeof keyScopes)[number];

/** What an operator says of a key, for programs: `team=desk`. */
export type KeyLabels = Readonly<Record<string, string>>;

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
  /** Since when it opens nothing, for good. */
  readonly revokedAt?: number;
  /** Since when it opens nothing until it is enabled again. */
  readonly disabledAt?: number;
  readonly labels?: KeyLabels;
  /** The plan of the configuration that says how much it may ask for; absent for the default one. */
  readonly plan?: string;
  /** How much this key may ask for, whatever its plan says. */
  readonly limit?: Allowance;
  /** The key that this one was made to replace. */
  readonly replaces?: string;
  /**
   * The first key of the line in which each replaced the one before; absent for that first one. Keys
   * of one line share one allowance, so that a rotation does not double it.
   */
  readonly family?: string;
  /** The hour in which it last opened something: coarse, and up to a minute late. */
  readonly lastUsedAt?: number;
}

/** What a key does now. */
export type KeyState = 'active' | 'disabled' | 'expired' | 'revoked';

/** What a key does at an instant, in epoch milliseconds. */
export function keyStateAt(
  { revokedAt, expiresAt, disabledAt }: ApiKeyRecord,
  now: number,
): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  if (expiresAt !== undefined && now >= expiresAt) return 'expired';
  return disabledAt === undefined ? 'active' : 'disabled';
}
