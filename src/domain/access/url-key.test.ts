import assert from 'node:assert/strict';
import { test } from 'node:test';

import { keyScopes } from './api-key.ts';
import { urlKeyFault } from './url-key.ts';

/** 2026-11-20, 23:30 in Buenos Aires: the next day in UTC. */
const now = Date.parse('2026-11-21T02:30:00Z');
const scope = 'url';

/** The end of the day that is 366 days later, in Buenos Aires. */
const latest = Date.parse('2027-11-22T03:00:00Z');

test('a key for URLs expires at the end of the day in 366 days at the latest', () => {
  assert.equal(urlKeyFault({ scope, expiresAt: latest }, now), undefined);
  assert.match(
    urlKeyFault({ scope, expiresAt: latest + 1 }, now) ?? '',
    /^The expiry is too late\. Give a day at most 366 days from today \(until 2027-11-21\)\.$/,
  );
});

test('a key for URLs has an expiry and a limit', () => {
  assert.match(urlKeyFault({ scope }, now) ?? '', /needs an expiry/);
  const expiresAt = latest;
  assert.match(
    urlKeyFault({ scope, expiresAt, limit: 'unlimited' }, now) ?? '',
    /always has a limit/,
  );
  const limit = { requests: 1, seconds: 1, burst: 1 };
  assert.equal(urlKeyFault({ scope, expiresAt, limit }, now), undefined);
});

test('keys of the other scopes may have any expiry and no limit', () => {
  for (const other of keyScopes.filter((one) => one !== 'url')) {
    assert.equal(urlKeyFault({ scope: other, limit: 'unlimited' }, now), undefined);
    assert.equal(urlKeyFault({ scope: other, expiresAt: latest * 2 }, now), undefined);
  }
});
