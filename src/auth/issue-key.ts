import type { ApiKeyRecord, KeyLabels, KeyScope } from '../domain/api-key.ts';
import type { Allowance } from '../domain/rate-limit.ts';
import { randomBase62 } from '../lib/base62.ts';
import type { RandomBytes } from '../lib/base62.ts';
import { generateKey, hashKey } from './api-key.ts';

/** Digits of a key's public id; chance alone keeps ids apart (59 bits), and the store checks. */
const idDigits = 10;

/** What a new key is to be. */
export interface KeyWish {
  readonly name: string;
  readonly scope: KeyScope;
  readonly expiresAt?: number | undefined;
  readonly labels?: KeyLabels | undefined;
  readonly plan?: string | undefined;
  readonly limit?: Allowance | undefined;
}

/**
 * Makes a key and the record of it. The key is to be shown once and then forgotten; the record is
 * to be stored.
 */
export function issueKey(
  { name, scope, expiresAt, labels = {}, plan, limit }: KeyWish,
  { now, randomBytes }: { readonly now: number; readonly randomBytes: RandomBytes },
): { readonly key: string; readonly record: ApiKeyRecord } {
  const key = generateKey(randomBytes);
  return {
    key,
    record: {
      id: randomBase62(idDigits, randomBytes),
      name,
      scope,
      sha256: hashKey(key),
      createdAt: now,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(plan === undefined ? {} : { plan }),
      ...(limit === undefined ? {} : { limit }),
    },
  };
}
