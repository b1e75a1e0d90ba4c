import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { keyScopes } from '../domain/access/api-key.ts';
import { hashKey, isWellFormedKey } from './api-key.ts';
import { issueKey } from './issue-key.ts';

const now = 1_790_000_000_000;

test('the record contains the hash of the key and no part of the key', () => {
  const { key, record } = issueKey({ name: 'desk', scope: 'read' }, { now, randomBytes });
  assert.ok(isWellFormedKey(key));
  assert.match(record.id, /^[0-9A-Za-z]{10}$/);
  assert.deepEqual(record, {
    id: record.id,
    name: 'desk',
    scope: 'read',
    sha256: hashKey(key),
    createdAt: now,
  });
  assert.ok(!JSON.stringify(record).includes(key.slice(3, 13)));
  assert.ok(!key.includes(record.id));
});

test('the record of a key that expires contains the instant of expiry', () => {
  const wanted = { name: 'trial', scope: 'ingest', expiresAt: now + 1 } as const;
  const { record } = issueKey(wanted, { now, randomBytes });
  assert.equal(record.expiresAt, now + 1);
  assert.equal(record.scope, 'ingest');
});

test('two keys with the same name have different texts and ids', () => {
  const wanted = { name: 'desk', scope: 'read' } as const;
  const first = issueKey(wanted, { now, randomBytes });
  const second = issueKey(wanted, { now, randomBytes });
  assert.notEqual(first.key, second.key);
  assert.notEqual(first.record.id, second.record.id);
});

test('only a key with the scope url has the form of a key for URLs', () => {
  for (const scope of keyScopes) {
    const { key } = issueKey({ name: 'desk', scope }, { now, randomBytes });
    assert.equal(isWellFormedKey(key, 'url'), scope === 'url', scope);
    assert.equal(isWellFormedKey(key, 'header'), scope !== 'url', scope);
  }
});
