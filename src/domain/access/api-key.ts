import type { Allowance } from './rate-limit.ts';

/**
 * What a key gives access to: the public contract, the push of updates, the metrics, or the data of the
 * public contract with the key in the URL. The rules of the last are in `url-key.ts`.
 */
export const keyScopes = ['read', 'ingest', 'metrics', 'url'] as const;

/** One scope. A key of one scope gives no access to the others. */
export type KeyScope = (typeof keyScopes)[number];

/** Maximum length of the name of a key, in characters. */
const nameCharactersMax = 100;

/** The name of a key without spaces around it. Undefined for a text that cannot be one. */
export function parseKeyName(text: string): string | undefined {
  const name = text.trim();
  const isName = name !== '' && name.length <= nameCharactersMax && !/\p{Cc}/u.test(name);
  return isName ? name : undefined;
}

/** The form of the name of a key, for messages. */
export const keyNameForm = `1 to ${nameCharactersMax} printable characters`;

/** Labels that an operator attaches to a key, for use by programs: `team=desk`. */
export type KeyLabels = Readonly<Record<string, string>>;

/** The stored record of an API key. The key itself is never stored, only its SHA-256. */
export interface ApiKeyRecord {
  /** Identifies the key in commands and logs. Not secret. */
  readonly id: string;
  /** The person or program that the key was created for. */
  readonly name: string;
  readonly scope: KeyScope;
  /** SHA-256 of the whole key, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** This and the other instants are in epoch milliseconds. */
  readonly createdAt: number;
  /** From this instant on the key is expired. */
  readonly expiresAt?: number;
  /** The instant at which the key was revoked. A revoked key is never valid again. */
  readonly revokedAt?: number;
  /** The instant at which the key was disabled. It is not valid until it is enabled again. */
  readonly disabledAt?: number;
  readonly labels?: KeyLabels;
  /** Name of the configured plan that sets the key's allowance. Absent: the default plan. */
  readonly plan?: string;
  /** The key's own allowance. It takes precedence over the plan. */
  readonly limit?: Allowance;
  /** Id of the key that this key replaces. */
  readonly replaces?: string;
  /**
   * Id of the oldest key in a chain of rotated keys; absent for that oldest key. All keys of a
   * chain share one allowance, so a rotation does not double it.
   */
  readonly family?: string;
  /** The hour in which the key was last used. Recorded up to 30 seconds late. */
  readonly lastUsedAt?: number;
}

/** Whether a key is valid now, and if not, why. */
export type KeyState = 'active' | 'disabled' | 'expired' | 'revoked';

/** The state of a key at an instant, in epoch milliseconds. */
export function keyStateAt(
  { revokedAt, expiresAt, disabledAt }: ApiKeyRecord,
  now: number,
): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  if (expiresAt !== undefined && now >= expiresAt) return 'expired';
  return disabledAt === undefined ? 'active' : 'disabled';
}
