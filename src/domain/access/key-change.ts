import { instantText } from '../../lib/time/instant-text.ts';
import type { ApiKeyRecord, KeyLabels } from './api-key.ts';
import { formatAllowance, type Allowance } from './rate-limit.ts';

/** A change that an operator makes to an existing key. An undefined value removes the setting. */
export type KeyChange =
  | { readonly type: 'revoke' }
  | { readonly type: 'disable' }
  | { readonly type: 'enable' }
  | { readonly type: 'set-plan'; readonly plan: string | undefined }
  | { readonly type: 'set-limit'; readonly limit: Allowance | undefined }
  | { readonly type: 'set-labels'; readonly labels: KeyLabels }
  | { readonly type: 'set-end'; readonly expiresAt: number | undefined };

/** Who changed something, and when. */
export interface ChangeNote {
  /** For people: a user at a machine, or the service itself. */
  readonly who: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** One entry of the audit log. It contains neither a key nor the hash of one. */
export interface KeyEvent extends ChangeNote {
  readonly keyId: string;
  /** The action: `create`, `rotate`, or the type of a change. */
  readonly what: 'create' | 'rotate' | KeyChange['type'];
  /** The new value as text for people; empty where the action has none. */
  readonly detail: string;
}

/**
 * Applies a change to a key. Returns the same object when the change has no effect. A revoked key
 * never changes. Repeating a change does not move the instant at which it was first made.
 */
export function applyKeyChange(key: ApiKeyRecord, change: KeyChange, at: number): ApiKeyRecord {
  if (key.revokedAt !== undefined) return key;
  const changed = changedBy(key, change, at);
  return sameRecord(key, changed) ? key : changed;
}

function changedBy(key: ApiKeyRecord, change: KeyChange, at: number): ApiKeyRecord {
  switch (change.type) {
    case 'revoke':
      return { ...key, revokedAt: at };
    case 'disable':
      return { ...key, disabledAt: key.disabledAt ?? at };
    case 'enable': {
      const { disabledAt: _, ...rest } = key;
      return rest;
    }
    case 'set-plan': {
      const { plan: _, ...rest } = key;
      return change.plan === undefined ? rest : { ...rest, plan: change.plan };
    }
    case 'set-limit': {
      const { limit: _, ...rest } = key;
      return change.limit === undefined ? rest : { ...rest, limit: change.limit };
    }
    case 'set-labels': {
      const { labels: _, ...rest } = key;
      return Object.keys(change.labels).length === 0 ? rest : { ...rest, labels: change.labels };
    }
    case 'set-end': {
      const { expiresAt: _, ...rest } = key;
      return change.expiresAt === undefined ? rest : { ...rest, expiresAt: change.expiresAt };
    }
  }
}

/** The text of the audit log's detail for a change. */
export function detailOf(change: KeyChange): string {
  switch (change.type) {
    case 'revoke':
    case 'disable':
    case 'enable':
      return '';
    case 'set-plan':
      return change.plan ?? 'none';
    case 'set-limit':
      return change.limit === undefined ? 'none' : formatAllowance(change.limit);
    case 'set-labels':
      return labelsText(change.labels);
    case 'set-end':
      return change.expiresAt === undefined ? 'never' : instantText(change.expiresAt);
  }
}

/** Labels as an operator writes them, sorted by name: `env=prod team=desk`. */
export function labelsText(labels: KeyLabels): string {
  return Object.entries(labels)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/**
 * Compares records. All fields are scalars but for labels and limit, which are compared as text.
 */
function sameRecord(a: ApiKeyRecord, b: ApiKeyRecord): boolean {
  return flatText(a) === flatText(b);
}

function flatText({ labels = {}, limit, ...rest }: ApiKeyRecord): string {
  const parts = Object.entries(rest).toSorted(([x], [y]) => (x < y ? -1 : 1));
  const limitText = limit === undefined ? null : formatAllowance(limit);
  return JSON.stringify([parts, labelsText(labels), limitText]);
}
