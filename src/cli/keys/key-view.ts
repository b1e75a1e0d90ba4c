import { keyStateAt, type ApiKeyRecord } from '../../domain/access/api-key.ts';
import { labelsText } from '../../domain/access/key-change.ts';
import { formatAllowance } from '../../domain/access/rate-limit.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import { printable } from '../../lib/text/printable.ts';

/** The column headings of {@link keyCells}. */
export const keyColumns = [
  'ID',
  'NAME',
  'SCOPE',
  'STATE',
  'PLAN',
  'LAST USED',
  'EXPIRES',
  'LABELS',
] as const;

/** A key as a row of a table. */
export function keyCells(key: ApiKeyRecord, now: number): readonly string[] {
  const { id, name, scope, expiresAt, lastUsedAt, labels = {} } = key;
  return [
    id,
    name,
    scope,
    keyStateAt(key, now),
    allowanceText(key),
    lastUsedAt === undefined ? 'never' : hourText(lastUsedAt),
    expiresAt === undefined ? 'never' : instantText(expiresAt),
    labelsText(labels),
  ];
}

/** A key as lines, each with a name and a value. */
export function keyLines(
  key: ApiKeyRecord,
  { now, replacedBy }: { readonly now: number; readonly replacedBy: string | undefined },
): string {
  const lines = Object.entries({ ...keyObject(key, now), replacedBy: replacedBy ?? null })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [
      name,
      typeof value === 'object' ? labelsText(key.labels ?? {}) : value,
    ]);
  const width = Math.max(...lines.map(([name]) => String(name).length));
  return lines
    .map(([name, value]) => `${String(name).padEnd(width)}  ${printable(String(value))}`.trimEnd())
    .join('\n');
}

/** A key for JSON output, without its hash. All members are present, with null for unknown values. */
export function keyObject(key: ApiKeyRecord, now: number) {
  const { id, name, scope, createdAt, limit, labels = {} } = key;
  return {
    id,
    name,
    scope,
    state: keyStateAt(key, now),
    plan: key.plan ?? null,
    limit: limit === undefined ? null : formatAllowance(limit),
    labels,
    createdAt: instantText(createdAt),
    expiresAt: instantOrNull(key.expiresAt),
    disabledAt: instantOrNull(key.disabledAt),
    revokedAt: instantOrNull(key.revokedAt),
    lastUsedHour: key.lastUsedAt === undefined ? null : hourText(key.lastUsedAt),
    replaces: key.replaces ?? null,
  };
}

/** An instant to the hour. The last use of a key is stored to the hour. */
function hourText(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 13)}h`;
}

function instantOrNull(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : instantText(epochMs);
}

function allowanceText({ limit, plan }: ApiKeyRecord): string {
  if (limit !== undefined) return formatAllowance(limit);
  return plan ?? 'default';
}
