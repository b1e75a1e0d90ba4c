import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nextTile } from './next-tile.ts';

/** `A` fills the left half; `B` and `C` the right half, `B` above `C`. */
const rects = new Map([
  ['A', { x: 0, y: 0, width: 100, height: 100 }],
  ['B', { x: 100, y: 0, width: 100, height: 50 }],
  ['C', { x: 100, y: 50, width: 100, height: 50 }],
]);

test('an arrow moves to the next tile in its direction', () => {
  assert.equal(nextTile(rects, 'A', 'ArrowRight'), 'B');
  assert.equal(nextTile(rects, 'B', 'ArrowDown'), 'C');
  assert.equal(nextTile(rects, 'C', 'ArrowUp'), 'B');
  assert.equal(nextTile(rects, 'C', 'ArrowLeft'), 'A');
});

test('where the map ends, an arrow moves nowhere, and so does any other key', () => {
  assert.equal(nextTile(rects, 'A', 'ArrowLeft'), undefined);
  assert.equal(nextTile(rects, 'B', 'ArrowUp'), undefined);
  assert.equal(nextTile(rects, 'A', 'x'), undefined);
  assert.equal(nextTile(rects, 'unknown', 'ArrowLeft'), undefined);
});

test('Home and End move to the largest and the smallest tile', () => {
  assert.equal(nextTile(rects, 'B', 'Home'), 'A');
  assert.equal(nextTile(rects, 'A', 'End'), 'C');
});
