import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { ApiKeyRecord } from '../domain/access/api-key.ts';
import type { Allowance } from '../domain/access/rate-limit.ts';
import { RatePlans, isPlanName } from './rate-plans.ts';

const free = { requests: 60, seconds: 60, burst: 20 } as const;
const pro = { requests: 100, seconds: 1, burst: 500 } as const;
const plans = new Map<string, Allowance>([
  ['free', free],
  ['pro', pro],
  ['inside', 'unlimited'],
]);

function key(more: Partial<ApiKeyRecord>): ApiKeyRecord {
  return { id: 'a', name: 'a', scope: 'read', sha256: '', createdAt: 0, ...more };
}

test('the limit of a key is its own, else that of its plan, else that of the default plan', () => {
  const table = new RatePlans({ plans, defaultPlan: 'free' });
  assert.deepEqual(table.policyOf(key({})), { name: 'free', limit: free });
  assert.deepEqual(table.policyOf(key({ plan: 'pro' })), { name: 'pro', limit: pro });
  assert.equal(table.policyOf(key({ plan: 'inside' })), undefined);
  const own = { requests: 1, seconds: 1, burst: 1 };
  assert.deepEqual(table.policyOf(key({ plan: 'pro', limit: own })), { name: 'key', limit: own });
  assert.equal(table.policyOf(key({ plan: 'free', limit: 'unlimited' })), undefined);
});

test('without a default plan, a key without a plan is not limited', () => {
  assert.equal(new RatePlans({ plans }).policyOf(key({})), undefined);
  assert.equal(new RatePlans({ plans: new Map() }).policyOf(key({})), undefined);
});

test('a plan that is not configured is reported once, and the default plan applies', () => {
  const reported: string[] = [];
  const table = new RatePlans({ plans, defaultPlan: 'free' }, (plan) => reported.push(plan));
  for (let count = 0; count < 3; count += 1) {
    assert.equal(table.policyOf(key({ plan: 'gone' }))?.name, 'free');
  }
  assert.deepEqual(reported, ['gone']);
});

test('the same plan is always the same object, so that callers can cache by it', () => {
  const table = new RatePlans({ plans });
  assert.equal(table.policyOf(key({ plan: 'pro' })), table.policyOf(key({ plan: 'pro' })));
  const one = key({ limit: pro });
  assert.equal(table.policyOf(one), table.policyOf(one));
});

test('new plans apply at once', () => {
  const table = new RatePlans({ plans, defaultPlan: 'free' });
  table.replace({ plans: new Map([['free', pro]]), defaultPlan: 'free' });
  assert.deepEqual(table.policyOf(key({})), { name: 'free', limit: pro });
});

test('the name of a plan needs no escaping in a header', () => {
  for (const name of ['free', 'pro-2', 'a_b', 'a'.repeat(32)]) assert.ok(isPlanName(name));
  for (const name of ['', 'Free', '2pro', 'a b', 'a"', 'ñ', '__proto__', 'a'.repeat(33)]) {
    assert.equal(isPlanName(name), false, name);
  }
});

test('a key for URLs has its own limit, else that of its plan, else that of such keys: never the default plan, and never none', () => {
  const scope = 'url';
  const table = new RatePlans({ plans, defaultPlan: 'inside' });
  const usual = { name: 'url', limit: { requests: 60, seconds: 60, burst: 30 } };
  for (const more of [{}, { plan: 'inside' }, { plan: 'gone' }, { limit: 'unlimited' }] as const) {
    assert.deepEqual(table.policyOf(key({ scope, ...more })), usual);
  }
  assert.equal(table.policyOf(key({ scope, plan: 'free' }))?.name, 'free');
  assert.equal(table.policyOf(key({ scope, limit: pro }))?.limit, pro);
  table.replace({ plans, urlKeyLimit: pro });
  assert.deepEqual(table.policyOf(key({ scope })), { name: 'url', limit: pro });
});
