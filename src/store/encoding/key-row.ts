import type { ApiKeyRecord, KeyLabels, KeyScope } from '../../domain/access/api-key.ts';
import { formatAllowance, parseAllowance } from '../../domain/access/rate-limit.ts';
import { damaged } from './damaged.ts';

/** The columns of a key, in the order of {@link KeyRow}. */
export const keyColumns = [
  'id',
  'name',
  'scope',
  'sha256',
  'created_at',
  'expires_at',
  'revoked_at',
  'disabled_at',
  'labels',
  'plan',
  'rate_limit',
  'replaces',
  'family',
  'last_used_at',
] as const;

/** A row of `api_keys`, with {@link keyColumns}. */
export type KeyRow = readonly [
  string,
  string,
  KeyScope,
  string,
  number,
  number | null,
  number | null,
  number | null,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  number | null,
];

/** Converts a key to a row. */
export function toKeyRow(key: ApiKeyRecord): KeyRow {
  return [
    key.id,
    key.name,
    key.scope,
    key.sha256,
    key.createdAt,
    key.expiresAt ?? null,
    key.revokedAt ?? null,
    key.disabledAt ?? null,
    key.labels === undefined ? null : JSON.stringify(key.labels),
    key.plan ?? null,
    key.limit === undefined ? null : formatAllowance(key.limit),
    key.replaces ?? null,
    key.family ?? null,
    key.lastUsedAt ?? null,
  ];
}

/**
 * Converts a row to a key.
 *
 * @throws StoreFault `corrupt` when the row has labels or a limit that the program cannot have written.
 */
export function fromKeyRow(path: string, row: KeyRow): ApiKeyRecord {
  const [id, name, scope, sha256, createdAt, expiresAt, revokedAt, disabledAt, ...rest] = row;
  const [labels, plan, limit, replaces, family, lastUsedAt] = rest;
  return {
    id,
    name,
    scope,
    sha256,
    createdAt,
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(revokedAt === null ? {} : { revokedAt }),
    ...(disabledAt === null ? {} : { disabledAt }),
    ...(labels === null ? {} : { labels: labelsIn(path, labels) }),
    ...(plan === null ? {} : { plan }),
    ...(limit === null ? {} : { limit: allowanceIn(path, limit) }),
    ...(replaces === null ? {} : { replaces }),
    ...(family === null ? {} : { family }),
    ...(lastUsedAt === null ? {} : { lastUsedAt }),
  };
}

function labelsIn(path: string, text: string): KeyLabels {
  try {
    return JSON.parse(text) as KeyLabels;
  } catch (cause) {
    throw damaged(path, 'the labels of a key are not valid', cause);
  }
}

function allowanceIn(path: string, text: string): NonNullable<ApiKeyRecord['limit']> {
  const allowance = parseAllowance(text);
  if (allowance === undefined) throw damaged(path, 'the rate limit of a key is not valid');
  return allowance;
}
