import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoffMs } from './backoff.ts';

const growth = { firstMs: 1000, maxMs: 60_000 };

test('the pause doubles with every failure, up to the maximum', () => {
  const pauses = [1, 2, 3, 6, 7, 8, 5000].map((failures) => backoffMs(failures, growth, () => 1));
  assert.deepEqual(pauses, [1000, 2000, 4000, 32_000, 60_000, 60_000, 60_000]);
});

test('half of the pause is random', () => {
  assert.equal(
    backoffMs(3, growth, () => 0),
    2000,
  );
  assert.equal(
    backoffMs(3, growth, () => 0.5),
    3000,
  );
});
