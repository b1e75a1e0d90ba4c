import type { ApiKeyRecord, KeyLabels, KeyScope } from '../domain/access/api-key.ts';
import type { Allowance } from '../domain/access/rate-limit.ts';
import { randomBase62, type RandomBytes } from '../lib/text/base62.ts';
import { generateKey, hashKey } from './api-key.ts';

/** Digits of a key's public id (59 random bits). The store refuses an id that exists. */
const idDigits = 10;

/** The properties of a key to be created. */
export interface KeyProperties {
  readonly name: string;
  readonly scope: KeyScope;
  readonly expiresAt?: number | undefined;
  readonly labels?: KeyLabels | undefined;
  readonly plan?: string | undefined;
  readonly limit?: Allowance | undefined;
}

/**
 * Creates a key and its record. The caller shows the key once and does not store it. The caller
 * stores the record.
 */
export function issueKey(
  { name, scope, expiresAt, labels = {}, plan, limit }: KeyProperties,
  { now, randomBytes }: { readonly now: number; readonly randomBytes: RandomBytes },
): { readonly key: string; readonly record: ApiKeyRecord } {
  const key = generateKey(randomBytes, scope === 'url' ? 'url' : 'header');
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
