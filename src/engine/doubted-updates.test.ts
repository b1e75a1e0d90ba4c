import assert from 'node:assert/strict';
import { test } from 'node:test';

import { update } from '../../test/support/market/drive-engine.ts';
import { DoubtedUpdates, type DoubtedUpdate } from './doubted-updates.ts';

function doubted(at: number, price = 100, source = 'one'): DoubtedUpdate {
  return { price, at, source, update: update('GGAL', at, { last: price }), from: undefined };
}

test('a report with the same price, instant and source is no further witness', () => {
  const updates = new DoubtedUpdates();
  assert.ok(updates.add(doubted(1)));
  assert.ok(!updates.add(doubted(1)));
  const others = [doubted(2), doubted(1, 101), doubted(1, 100, 'two')];
  assert.ok(others.every((one) => updates.add(one)));
});

test('beyond 32 witnesses every second one is dropped, so that the first stays', () => {
  const updates = new DoubtedUpdates();
  for (let at = 0; at < 32; at += 1) updates.add(doubted(at));
  assert.equal(updates.list.length, 32);
  updates.add(doubted(32));
  assert.deepEqual(
    updates.list.map(({ at }) => at),
    [...Array.from({ length: 16 }, (_, index) => index * 2), 32],
  );
});

test('those until an instant are taken, and those that agree with a price are told from the others', () => {
  const updates = new DoubtedUpdates();
  const [first, second, third] = [doubted(1), doubted(2), doubted(3, 200)];
  for (const one of [first, second, third]) updates.add(one);
  assert.deepEqual(updates.takeUntil(1), [first]);
  assert.deepEqual(updates.takeAll(101), { agreeing: [second], others: [third] });
  assert.deepEqual([updates.list, updates.takeUntil(9)], [[], []]);
});
