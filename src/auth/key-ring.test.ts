import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { keyScopes, type ApiKeyRecord } from '../domain/access/api-key.ts';
import { generateKey } from './api-key.ts';
import { issueKey } from './issue-key.ts';
import { KeyRing } from './key-ring.ts';

const now = 1_790_000_000_000;

test('each of many keys is identified as its own record', () => {
  const issued = Array.from({ length: 100 }, (_, index) => issue({ name: `client ${index}` }));
  const ring = new KeyRing(issued.map(({ record }) => record));
  for (const { key, record } of issued) {
    assert.deepEqual(ring.authenticate(key, now), { ok: true, key: record });
  }
});

test('a key that was never issued is unknown, also when the ring is empty', () => {
  const ring = new KeyRing([issue().record]);
  const stranger = generateKey(randomBytes);
  assert.deepEqual(ring.authenticate(stranger, now), { ok: false, reason: 'unknown' });
  assert.deepEqual(new KeyRing().authenticate(stranger, now), { ok: false, reason: 'unknown' });
});

test('a mistyped key, an empty text and the hash of a key are malformed', () => {
  const { key, record } = issue();
  const ring = new KeyRing([record]);
  for (const text of [key.slice(0, -1), `${key} `, key.toLowerCase(), '', record.sha256]) {
    assert.deepEqual(ring.authenticate(text, now), { ok: false, reason: 'malformed' });
  }
});

test('a key is accepted before the instant at which it expires, and refused from then on', () => {
  const { key, record } = issue({ expiresAt: now });
  const ring = new KeyRing([record]);
  assert.equal(ring.authenticate(key, now - 1).ok, true);
  assert.deepEqual(ring.authenticate(key, now), { ok: false, reason: 'expired' });
});

test('a revoked key is refused, even when its revocation lies in the future', () => {
  const { key, record } = issue();
  const ring = new KeyRing([{ ...record, revokedAt: now + 1000 }]);
  assert.deepEqual(ring.authenticate(key, now), { ok: false, reason: 'revoked' });
});

test('a disabled key is refused until it is enabled again', () => {
  const { key, record } = issue();
  const ring = new KeyRing([{ ...record, disabledAt: now + 1000 }]);
  assert.deepEqual(ring.authenticate(key, now), { ok: false, reason: 'disabled' });
  ring.replace([record]);
  assert.equal(ring.authenticate(key, now).ok, true);
});

test('only an accepted request counts as a use of a key', () => {
  const good = issue();
  const expired = issue({ expiresAt: now });
  const ring = new KeyRing([good.record, expired.record]);
  ring.authenticate(expired.key, now);
  ring.authenticate(good.key, now, 'ingest');
  ring.authenticate(generateKey(randomBytes), now);
  assert.deepEqual(ring.uses.take(), []);
  ring.authenticate(good.key, now);
  assert.deepEqual(
    ring.uses.take().map(({ id }) => id),
    [good.record.id],
  );
});

test('a key is accepted for its own scope and for no other', () => {
  for (const scope of keyScopes) {
    const { key, record } = issue({ scope });
    const ring = new KeyRing([record]);
    for (const wanted of keyScopes) {
      assert.equal(ring.authenticate(key, now, wanted).ok, wanted === scope);
    }
  }
});

test('when no scope is given, only a key with the scope "read" is accepted', () => {
  const { key, record } = issue({ scope: 'ingest' });
  const ring = new KeyRing([record]);
  assert.deepEqual(ring.authenticate(key, now), { ok: false, reason: 'wrong-scope' });
});

test('replacing the records makes the new keys known and the old ones unknown', () => {
  const before = issue();
  const after = issue();
  const ring = new KeyRing([before.record]);
  ring.replace([after.record]);
  assert.deepEqual(ring.authenticate(before.key, now), { ok: false, reason: 'unknown' });
  assert.equal(ring.authenticate(after.key, now).ok, true);
});

test('a key that was accepted on a connection is refused there once it is revoked', () => {
  const { key, record } = issue();
  const ring = new KeyRing([record]);
  const connection = {};
  assert.equal(ring.authenticate(key, now, 'read', connection).ok, true);
  assert.equal(ring.authenticate(key, now, 'read', connection).ok, true);
  ring.replace([{ ...record, revokedAt: now }]);
  const revoked = { ok: false, reason: 'revoked' };
  assert.deepEqual(ring.authenticate(key, now, 'read', connection), revoked);
  ring.replace([]);
  const unknown = { ok: false, reason: 'unknown' };
  assert.deepEqual(ring.authenticate(key, now, 'read', connection), unknown);
});

test('a key that was accepted on a connection does not make another key or scope acceptable there', () => {
  const own = issue();
  const other = issue();
  const ring = new KeyRing([own.record, other.record]);
  const connection = {};
  assert.equal(ring.authenticate(own.key, now, 'read', connection).ok, true);
  const verdict = ring.authenticate(other.key, now, 'read', connection);
  assert.deepEqual(verdict, { ok: true, key: other.record });
  const stranger = generateKey(randomBytes);
  assert.equal(ring.authenticate(stranger, now, 'read', connection).ok, false);
  assert.equal(ring.authenticate(`${own.key} `, now, 'read', connection).ok, false);
  assert.equal(ring.authenticate(own.key, now, 'ingest', connection).ok, false);
});

function issue(more: Partial<Pick<ApiKeyRecord, 'name' | 'scope' | 'expiresAt'>> = {}) {
  return issueKey({ name: 'client', scope: 'read', ...more }, { now, randomBytes });
}

test('a key is live until it is revoked, expires, or is removed from the ring', () => {
  const { record } = issueKey(
    { name: 'x', scope: 'read', expiresAt: 2_000 },
    { now: 1_000, randomBytes },
  );
  const ring = new KeyRing([record]);
  assert.equal(ring.isLive(record, 1_999), true);
  assert.equal(ring.isLive(record, 2_000), false);
  ring.replace([{ ...record, revokedAt: 1_500 }]);
  assert.equal(ring.isLive(record, 1_600), false);
  ring.replace([]);
  assert.equal(ring.isLive(record, 1_600), false);
});

test('an active key is identified whatever its scope, which is no use of it', () => {
  const [url, ended] = [issue({ scope: 'url' }), issue({ expiresAt: now })];
  const ring = new KeyRing([url.record, ended.record]);
  assert.equal(ring.identify(url.key, now), url.record);
  for (const other of [ended.key, generateKey(randomBytes), 'x', url.key.slice(0, -1)]) {
    assert.equal(ring.identify(other, now), undefined);
  }
  assert.deepEqual(ring.uses.take(), []);
});
