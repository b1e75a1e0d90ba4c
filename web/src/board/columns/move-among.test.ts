import assert from 'node:assert/strict';
import { test } from 'node:test';

import { placeAt } from '../../ui/order/use-drag-order.ts';
import { moveAmong } from './move-among.ts';

const items = ['a', 'b', 'c', 'd'] as const;

test('a dragged item takes the place of the one that it is dragged over', () => {
  assert.deepEqual(placeAt(items, 'a', 'c'), ['b', 'c', 'a', 'd']);
  assert.deepEqual(placeAt(items, 'd', 'b'), ['a', 'd', 'b', 'c']);
  assert.equal(placeAt(items, 'b', 'b'), items);
  assert.equal(placeAt<string>(items, 'x', 'b'), items);
});

test('an item moves past its visible neighbour, and stops at the ends', () => {
  const visible = ['a', 'c', 'd'] as const;
  assert.deepEqual(moveAmong(items, visible, 'a', 1), ['b', 'c', 'a', 'd']);
  assert.deepEqual(moveAmong(items, visible, 'c', -1), ['c', 'a', 'b', 'd']);
  assert.equal(moveAmong(items, visible, 'a', -1), items);
  assert.equal(moveAmong(items, visible, 'd', 1), items);
});
