import assert from 'node:assert/strict';
import { test } from 'node:test';

import { keyScopes, keyStateAt, type ApiKeyRecord } from './api-key.ts';
import { applyKeyChange, detailOf, type KeyChange } from './key-change.ts';

const key: ApiKeyRecord = {
  id: 'a',
  name: 'desk',
  scope: 'read',
  sha256: '0'.repeat(64),
  createdAt: 1_000,
};
const limit = { requests: 60, seconds: 60, burst: 20 } as const;

const changes: readonly KeyChange[] = [
  { type: 'revoke' },
  { type: 'disable' },
  { type: 'set-plan', plan: 'free' },
  { type: 'set-limit', limit },
  { type: 'set-labels', labels: { team: 'desk' } },
  { type: 'set-end', expiresAt: 9_000 },
];

test('no change affects a revoked key', () => {
  const revoked = applyKeyChange(key, { type: 'revoke' }, 2_000);
  for (const change of [...changes, { type: 'enable' } as const]) {
    assert.equal(applyKeyChange(revoked, change, 3_000), revoked);
  }
});

test('undoing a change gives the original record', () => {
  const undone: readonly (readonly [KeyChange, KeyChange])[] = [
    [{ type: 'disable' }, { type: 'enable' }],
    [
      { type: 'set-plan', plan: 'free' },
      { type: 'set-plan', plan: undefined },
    ],
    [
      { type: 'set-limit', limit },
      { type: 'set-limit', limit: undefined },
    ],
    [
      { type: 'set-labels', labels: { team: 'desk' } },
      { type: 'set-labels', labels: {} },
    ],
    [
      { type: 'set-end', expiresAt: 9_000 },
      { type: 'set-end', expiresAt: undefined },
    ],
  ];
  for (const [there, back] of undone) {
    assert.deepEqual(applyKeyChange(applyKeyChange(key, there, 2_000), back, 3_000), key);
  }
});

test('the state of a key is revoked before expired before disabled', () => {
  const all = { ...key, disabledAt: 1, expiresAt: 5_000, revokedAt: 1 };
  assert.equal(keyStateAt(all, 6_000), 'revoked');
  const { revokedAt: _, ...notRevoked } = all;
  assert.equal(keyStateAt(notRevoked, 5_000), 'expired');
  assert.equal(keyStateAt(notRevoked, 4_999), 'disabled');
  assert.equal(keyStateAt(key, 6_000), 'active');
});

test('the audit log records the new value of a setting', () => {
  assert.deepEqual(changes.map(detailOf), [
    '',
    '',
    'free',
    '60/min burst 20',
    'team=desk',
    '1970-01-01T00:00:09.000Z',
  ]);
});

test('setting any one value of a fully set key to the value it has returns the same object', () => {
  const full = {
    ...key,
    plan: 'free',
    limit,
    labels: { team: 'desk', env: 'prod', area: 'x' },
    expiresAt: 9_000,
    disabledAt: 2_000,
  };
  const again: readonly KeyChange[] = [
    ...changes.slice(1).filter(({ type }) => type !== 'set-labels'),
    { type: 'set-labels', labels: { area: 'x', env: 'prod', team: 'desk' } },
  ];
  for (const change of again) assert.equal(applyKeyChange(full, change, 3_000), full, change.type);
});

test('the audit log lists labels by name, and names settings that were removed', () => {
  const labels = { team: 'desk', env: 'prod', area: 'x', zone: 'b' };
  assert.equal(detailOf({ type: 'set-labels', labels }), 'area=x env=prod team=desk zone=b');
  assert.equal(detailOf({ type: 'set-labels', labels: {} }), '');
  assert.equal(detailOf({ type: 'set-plan', plan: undefined }), 'none');
  assert.equal(detailOf({ type: 'set-limit', limit: undefined }), 'none');
  assert.equal(detailOf({ type: 'set-end', expiresAt: undefined }), 'never');
});

test('each change sets its own field, at the instant of the change', () => {
  const results = changes.map((change) => applyKeyChange(key, change, 2_000));
  assert.deepEqual(results, [
    { ...key, revokedAt: 2_000 },
    { ...key, disabledAt: 2_000 },
    { ...key, plan: 'free' },
    { ...key, limit },
    { ...key, labels: { team: 'desk' } },
    { ...key, expiresAt: 9_000 },
  ]);
  assert.equal(detailOf({ type: 'enable' }), '');
});

test('the scopes of keys are to read, to push, to read the metrics, and to read by a URL', () => {
  assert.deepEqual(keyScopes, ['read', 'ingest', 'metrics', 'url']);
});
