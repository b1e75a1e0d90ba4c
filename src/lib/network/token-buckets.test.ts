import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { TokenBuckets, type BucketLimit } from './token-buckets.ts';

const start = 1_790_000_000_000;

const arbitraryLimit: fc.Arbitrary<BucketLimit> = fc
  .tuple(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0.01, max: 100_000, noNaN: true }))
  .map(([burst, refillMs]) => ({ burst, refillMs }));

/** Pauses between requests, in milliseconds. Many are 0, some are long. */
const arbitraryPauses = fc.array(
  fc.oneof(fc.constant(0), fc.nat({ max: 20 }), fc.nat({ max: 200_000 })),
  { minLength: 1, maxLength: 200 },
);

function buckets(bucketsMax = 10): TokenBuckets {
  return new TokenBuckets({ bucketsMax });
}

test('in any span of time, a name gets at most the burst plus the tokens refilled in that span', () => {
  fc.assert(
    fc.property(arbitraryLimit, arbitraryPauses, (limit, pauses) => {
      const all = buckets();
      const granted: number[] = [];
      let now = start;
      for (const pause of pauses) {
        now += pause;
        if (all.draw('a', limit, now).ok) granted.push(now);
      }
      for (const [first, from] of granted.entries()) {
        for (const [index, to] of granted.entries()) {
          if (index < first) continue;
          const most = limit.burst + (to - from) / limit.refillMs;
          assert.ok(index - first + 1 <= most + 1e-6, `${index - first + 1} in ${to - from} ms`);
        }
      }
    }),
  );
});

test('a client that makes at most "burst" requests per refill time is never refused', () => {
  fc.assert(
    fc.property(arbitraryLimit, arbitraryPauses, (limit, pauses) => {
      const all = buckets();
      const windowMs = limit.burst * limit.refillMs;
      const sent: number[] = [];
      let now = start;
      for (const pause of pauses) {
        const oldest = sent.at(-limit.burst) ?? Number.NEGATIVE_INFINITY;
        now = Math.max(now + pause, Math.ceil(oldest + windowMs));
        sent.push(now);
        assert.ok(all.draw('a', limit, now).ok);
      }
    }),
  );
});

test('after a refusal, waiting for retryMs is enough, and waiting less is not', () => {
  fc.assert(
    fc.property(arbitraryLimit, arbitraryPauses, (limit, pauses) => {
      for (const isEnough of [true, false]) {
        const all = buckets();
        let now = start;
        let refused = all.draw('a', limit, now);
        for (const pause of pauses) {
          now += pause;
          refused = all.draw('a', limit, now);
          if (!refused.ok) break;
        }
        if (refused.ok) return;
        // Fractions of a millisecond may be rounding errors.
        const tooLittle = Math.max(0, Math.ceil(refused.retryMs - 1e-3) - 1);
        const wait = isEnough ? Math.ceil(refused.retryMs) : tooLittle;
        assert.equal(all.draw('a', limit, now + wait).ok, isEnough);
      }
    }),
  );
});

test('exactly the remaining tokens can be taken at once', () => {
  fc.assert(
    fc.property(arbitraryLimit, fc.nat({ max: 60 }), (limit, taken) => {
      const all = buckets();
      let last = all.draw('a', limit, start);
      for (let count = 0; count < taken; count += 1) last = all.draw('a', limit, start);
      for (let count = 0; count < last.remaining; count += 1) {
        assert.ok(all.draw('a', limit, start).ok);
      }
      assert.equal(all.draw('a', limit, start).ok, false);
    }),
  );
});

test('a bucket is full again after fullMs', () => {
  const all = buckets();
  const limit = { burst: 20, refillMs: 1_000 };
  for (let count = 0; count < 25; count += 1) all.draw('a', limit, start);
  const { fullMs, remaining } = all.draw('a', limit, start);
  assert.deepEqual([fullMs, remaining], [20_000, 0]);
  assert.equal(all.draw('a', limit, start + fullMs).remaining, 19);
});

test('names do not share tokens', () => {
  const all = buckets();
  const limit = { burst: 1, refillMs: 1_000 };
  assert.ok(all.draw('a', limit, start).ok);
  assert.ok(all.draw('b', limit, start).ok);
  assert.equal(all.draw('a', limit, start).ok, false);
});

test('setting the clock back neither adds tokens nor locks a name out; setting it forward fills at most the bucket', () => {
  const all = buckets();
  const limit = { burst: 3, refillMs: 1_000 };
  for (let count = 0; count < 3; count += 1) assert.ok(all.draw('a', limit, start).ok);
  const hourBefore = start - 3_600_000;
  assert.equal(all.draw('a', limit, hourBefore).ok, false);
  assert.ok(all.draw('a', limit, hourBefore + 1_000).ok);
  const dayAfter = start + 86_400_000;
  for (let count = 0; count < 3; count += 1) assert.ok(all.draw('a', limit, dayAfter).ok);
  assert.equal(all.draw('a', limit, dayAfter).ok, false);
});

test('a smaller limit applies at once, and a larger one fills from the current number of tokens', () => {
  const all = buckets();
  const large = { burst: 100, refillMs: 10 };
  const small = { burst: 2, refillMs: 1_000 };
  all.draw('a', large, start);
  assert.equal(all.draw('a', small, start).remaining, 1);
  assert.equal(all.draw('a', large, start).remaining, 0);
});

test('the number of buckets is limited, and the most recently used one stays', () => {
  const all = buckets(3);
  const limit = { burst: 1, refillMs: 1e9 };
  for (const name of ['a', 'b', 'c', 'a', 'd', 'e']) all.draw(name, limit, start);
  assert.equal(all.size, 3);
  assert.equal(all.draw('a', limit, start).ok, false);
  assert.ok(all.draw('b', limit, start).ok, 'the bucket was evicted, so a new one is full');
});

test('the wait is 0 while a token is left, and otherwise until the next one', () => {
  const all = buckets();
  const limit = { burst: 2, refillMs: 1_000 };
  const draws = [0, 0, 400].map((now) => all.draw('a', limit, now));
  assert.deepEqual(
    draws.map(({ ok, remaining, retryMs, fullMs }) => [ok, remaining, retryMs, fullMs]),
    [
      [true, 1, 0, 1_000],
      [true, 0, 1_000, 2_000],
      [false, 0, 600, 1_600],
    ],
  );
});

test('a larger limit that applies after a settlement refills no time from before it', () => {
  const all = buckets();
  const small = { burst: 2, refillMs: 1_000 };
  const large = { burst: 100, refillMs: 10 };
  for (const name of ['idle', 'used']) all.draw(name, small, start);
  all.draw('used', small, start + 99_000);
  all.draw('used', small, start + 99_000);
  all.settle(start + 100_000);
  // Both have refilled under the smaller limit: one to its burst, the other by one token.
  assert.equal(all.draw('idle', large, start + 100_000).remaining, 1);
  assert.equal(all.draw('used', large, start + 100_000).remaining, 0);
  assert.equal(all.draw('used', large, start + 100_100).remaining, 9);
  assert.equal(all.draw('used', large, start + 100_200).remaining, 18);
});

test('a settlement takes no tokens, also after the clock was set back', () => {
  const all = buckets();
  const limit = { burst: 3, refillMs: 1_000 };
  all.draw('a', limit, start);
  const hourBefore = start - 3_600_000;
  all.settle(hourBefore);
  assert.equal(all.draw('a', limit, hourBefore).remaining, 1);
  all.settle(hourBefore + 500);
  assert.equal(all.draw('a', limit, hourBefore + 500).remaining, 0);
  assert.equal(all.draw('a', limit, hourBefore + 1_000).remaining, 0);
});
