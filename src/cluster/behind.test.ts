import assert from 'node:assert/strict';
import { test } from 'node:test';

import { behindTiming, isBehind, mustAsk } from './behind.ts';

const { afterMs, readableMsMax } = behindTiming;

test('a node that has read the database within ten seconds asks nobody, and is not behind', () => {
  assert.equal(mustAsk(afterMs - 1), false);
  assert.equal(isBehind(afterMs - 1, [0]), false);
  assert.equal(mustAsk(afterMs), true);
});

test('a node is behind while another one reads the database, and not if no other one does', () => {
  assert.equal(isBehind(afterMs, [0]), true);
  assert.equal(isBehind(Infinity, [60_000, readableMsMax]), true);
  assert.equal(isBehind(60_000, []), false);
  assert.equal(isBehind(60_000, [readableMsMax + 1]), false);
});

test('when the database fails, no node finds another one ahead, whatever the order in which they notice', () => {
  // Pulls come every second, and one may be late. So the last reads differ by less than the margin.
  const lastReads = [0, 400, 1_000, 2_900];
  for (let now = 3_000; now < 60_000; now += 100) {
    for (const own of lastReads) {
      const others = lastReads.filter((one) => one !== own).map((one) => now - one);
      assert.equal(isBehind(now - own, others), false, `at ${now}, last read at ${own}`);
    }
  }
});
