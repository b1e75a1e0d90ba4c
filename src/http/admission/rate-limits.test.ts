import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { RatePlans } from '../../auth/rate-plans.ts';
import type { ApiKeyRecord } from '../../domain/access/api-key.ts';
import { parseAllowance, type RateLimit } from '../../domain/access/rate-limit.ts';
import {
  rateLimitField,
  ratePolicyField,
  RateLimits,
  retryAfterSeconds,
  type Admission,
  type RateLimitScope,
} from './rate-limits.ts';

const start = 1_790_000_000_000;

function limit(text: string): RateLimit {
  const allowance = parseAllowance(text);
  assert.ok(typeof allowance === 'object');
  return allowance;
}

const table = { plans: new Map([['free', limit('60/min burst 20')]]), defaultPlan: 'free' };
const failures = limit('60/min burst 4');

/** The limits of a node, and a key of the plan. */
function rig(scope: RateLimitScope = 'cluster') {
  const limits = new RateLimits({ plans: new RatePlans(table), failures, scope });
  const key: ApiKeyRecord = { id: 'k', name: 'k', scope: 'read', sha256: '', createdAt: 0 };
  /** Sends requests of a key at one instant, and returns how many are served. */
  const served = (requests: number, now: number): number => {
    let count = 0;
    for (let sent = 0; sent < requests; sent += 1) {
      if (limits.admitKey(key, now)?.refusal === undefined) count += 1;
    }
    return count;
  };
  return { limits, key, served };
}

/** `RateLimit-Policy` and `RateLimit`. */
function fieldsOf(admission: Admission | undefined): readonly (string | undefined)[] {
  const { list = [] } = admission?.fields ?? {};
  return list.filter((_, index) => index % 2 === 1);
}

test('contract 6.3: the nodes of a cluster divide the limit of a key, and the fields state the part', () => {
  const { limits, key, served } = rig();
  assert.deepEqual(fieldsOf(limits.admitKey(key, start)), ['"free";q=20;w=20', '"free";r=19;t=1']);
  limits.divide(3, start + 1_000);
  const fields = fieldsOf(limits.admitKey(key, start + 1_000));
  assert.deepEqual(fields, ['"free";q=6;w=18', '"free";r=5;t=3']);
  assert.equal(served(10, start + 1_000), 5);
  // A third of a request per second.
  assert.equal(served(10, start + 6_999), 1);
  assert.equal(served(10, start + 7_000), 1);
});

test('with the scope "node", nothing is divided, and a change of the scope applies at once', () => {
  const { limits, key } = rig('node');
  limits.divide(4, start);
  assert.equal(fieldsOf(limits.admitKey(key, start))[0], '"free";q=20;w=20');
  limits.replace(table, failures, 'cluster');
  assert.deepEqual(fieldsOf(limits.admitKey(key, start)), ['"free";q=5;w=20', '"free";r=4;t=4']);
  limits.replace(table, failures);
  assert.equal(fieldsOf(limits.admitKey(key, start))[0], '"free";q=20;w=20');
});

test('a limit of a key itself is divided too, and each part allows at least one request', () => {
  const { limits, key } = rig();
  const own = { ...key, id: 'own', limit: limit('6/min burst 2') };
  limits.divide(5, start);
  const draws = [0, 0, 49_999, 50_000].map((ms) => limits.admitKey(own, start + ms));
  assert.deepEqual(
    draws.map((draw) => draw?.refusal === undefined),
    [true, false, false, true],
  );
  assert.equal(fieldsOf(draws[0])[0], '"key";q=1;w=50');
  assert.equal(limits.admitKey({ ...key, id: 'free', limit: 'unlimited' }, start), undefined);
});

test('the limit on failures and the published limit of the default plan are never divided', () => {
  const { limits } = rig();
  limits.divide(4, start);
  assert.equal(fieldsOf(limits.admitFailure('192.0.2.1', start))[0], '"failures";q=4;w=4');
  assert.deepEqual(limits.ofKeysWithoutPlan, limit('60/min burst 20'));
  assert.deepEqual([limits.scope, limits.parts], ['cluster', 4]);
});

test('contract 6.3: a node that goes fills no bucket, neither a used one nor one that was idle before', () => {
  const { limits, key, served } = rig();
  const idle = { ...key, id: 'idle' };
  limits.divide(2, start);
  limits.admitKey(idle, start);
  assert.equal(served(20, start), 10);
  const hourLater = start + 3_600_000;
  assert.equal(served(20, hourLater), 10);
  limits.divide(1, hourLater);
  assert.equal(served(20, hourLater), 0);
  assert.deepEqual(fieldsOf(limits.admitKey(idle, hourLater)), [
    '"free";q=20;w=20',
    '"free";r=9;t=11',
  ]);
  // From now on at the whole rate.
  assert.equal(served(20, hourLater + 5_000), 5);
});

test('a node that comes takes only the tokens that no longer fit, so a client within its limit is served', () => {
  const { limits, served } = rig();
  assert.equal(served(12, start), 12);
  limits.divide(2, start);
  assert.equal(served(20, start), 8);
  limits.divide(4, start + 2_000);
  assert.equal(served(20, start + 2_000), 1);
  assert.equal(served(20, start + 6_000), 1);
});

test('however the number of nodes changes, a change adds no tokens and takes none that fit', () => {
  const step = fc.record({
    pauseMs: fc.nat({ max: 30_000 }),
    requests: fc.nat({ max: 25 }),
    nodes: fc.integer({ min: 1, max: 30 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { limits, key } = rig();
      const left = (now: number): number => {
        const [, field = ''] = fieldsOf(limits.admitKey(key, now));
        return Number(/;r=(\d+);/.exec(field)?.[1]);
      };
      let now = start;
      for (const { pauseMs, requests, nodes } of steps) {
        now += pauseMs;
        for (let sent = 0; sent < requests; sent += 1) limits.admitKey(key, now);
        const before = left(now);
        limits.divide(nodes, now);
        const after = left(now);
        const burst = Math.max(1, Math.floor(20 / nodes));
        // The request that shows the level takes a token.
        assert.equal(after, Math.max(0, Math.min(before, burst) - 1));
      }
    }),
  );
});

test('refused requests are counted by who sent them, and a key that replaces another continues its bucket', () => {
  const { limits, key, served } = rig();
  assert.equal(served(25, start), 20);
  const successor = { ...key, id: 'k2', family: 'k' };
  assert.notEqual(limits.admitKey(successor, start)?.refusal, undefined);
  for (let sent = 0; sent < 6; sent += 1) limits.admitFailure('192.0.2.1', start);
  assert.deepEqual(limits.refused, { keys: 6, addresses: 2 });
  assert.deepEqual(limits.remembered, { keys: 1, addresses: 1 });
});

test('a reload replaces the limits of keys and that on failures, or removes them', () => {
  const { limits, key } = rig();
  assert.deepEqual(limits.failures, failures);
  const [plan, other] = [limit('6/min burst 2'), limit('60/min burst 2')];
  limits.replace({ plans: new Map([['free', plan]]), defaultPlan: 'free' }, other);
  assert.equal(fieldsOf(limits.admitKey(key, start))[0], '"free";q=2;w=20');
  assert.equal(fieldsOf(limits.admitFailure('192.0.2.1', start))[0], '"failures";q=2;w=2');
  assert.equal(limits.failures, other);
  limits.replace({ plans: new Map(), defaultPlan: undefined }, undefined);
  const ofAll = [limits.admitKey(key, start), limits.admitFailure('192.0.2.1', start)];
  assert.deepEqual(
    [ofAll, limits.failures, limits.ofKeysWithoutPlan],
    [[undefined, undefined], undefined, undefined],
  );
});

test('contract 6.1: the policy is the quota and the seconds in which all of it refills', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['60/min', '"free";q=60;w=60'],
    ['60/min burst 20', '"free";q=20;w=20'],
    ['10/s burst 100', '"free";q=100;w=10'],
    ['1/day burst 3', '"free";q=3;w=259200'],
    ['100/s burst 10', '"free";q=10;w=1'],
  ];
  for (const [text, field] of cases) {
    assert.equal(ratePolicyField('free', limit(text)), field);
  }
});

test('contract 6.1: remaining requests are whole, and times are whole seconds, rounded up', () => {
  assert.equal(rateLimitField('free', { remaining: 19, fullMs: 1 }), '"free";r=19;t=1');
  assert.equal(rateLimitField('free', { remaining: 0, fullMs: 20_000 }), '"free";r=0;t=20');
  assert.equal(rateLimitField('free', { remaining: 7, fullMs: 7_200_000 }), '"free";r=7;t=7200');
  assert.deepEqual([0, 1, 1_000, 1_001, 7_200_000].map(retryAfterSeconds), [1, 1, 1, 2, 7_200]);
});
