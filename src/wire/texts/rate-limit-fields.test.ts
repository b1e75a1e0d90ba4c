import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseAllowance } from '../../domain/access/rate-limit.ts';
import { rateLimitField, ratePolicyField, retryAfterSeconds } from './rate-limit-fields.ts';

test('contract 6.1: the policy is the quota and the seconds in which all of it refills', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['60/min', '"free";q=60;w=60'],
    ['60/min burst 20', '"free";q=20;w=20'],
    ['10/s burst 100', '"free";q=100;w=10'],
    ['1/day burst 3', '"free";q=3;w=259200'],
    ['100/s burst 10', '"free";q=10;w=1'],
  ];
  for (const [text, field] of cases) {
    const limit = parseAllowance(text);
    assert.ok(typeof limit === 'object');
    assert.equal(ratePolicyField('free', limit), field);
  }
});

test('contract 6.1: remaining requests are whole, and times are whole seconds, rounded up', () => {
  assert.equal(rateLimitField('free', { remaining: 19, fullMs: 1 }), '"free";r=19;t=1');
  assert.equal(rateLimitField('free', { remaining: 0, fullMs: 20_000 }), '"free";r=0;t=20');
  assert.equal(rateLimitField('free', { remaining: 7, fullMs: 7_200_000 }), '"free";r=7;t=7200');
  assert.deepEqual([0, 1, 1_000, 1_001, 7_200_000].map(retryAfterSeconds), [1, 1, 1, 2, 7_200]);
});
