import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nextPlace } from './next-place.ts';

/** `A` fills the left half; `B` and `C` the right half, `B` above `C`. */
const rects = new Map([
  ['A', { x: 0, y: 0, width: 100, height: 100 }],
  ['B', { x: 100, y: 0, width: 100, height: 50 }],
  ['C', { x: 100, y: 50, width: 100, height: 50 }],
]);

test('an arrow moves to the next place in its direction', () => {
  assert.equal(nextPlace(rects, 'A', 'ArrowRight'), 'B');
  assert.equal(nextPlace(rects, 'B', 'ArrowDown'), 'C');
  assert.equal(nextPlace(rects, 'C', 'ArrowUp'), 'B');
  assert.equal(nextPlace(rects, 'C', 'ArrowLeft'), 'A');
});

test('where the places end, an arrow moves nowhere, and so does any other key', () => {
  assert.equal(nextPlace(rects, 'A', 'ArrowLeft'), undefined);
  assert.equal(nextPlace(rects, 'B', 'ArrowUp'), undefined);
  assert.equal(nextPlace(rects, 'A', 'x'), undefined);
  assert.equal(nextPlace(rects, 'unknown', 'ArrowLeft'), undefined);
});

test('Home and End move to the first and the last place', () => {
  assert.equal(nextPlace(rects, 'B', 'Home'), 'A');
  assert.equal(nextPlace(rects, 'A', 'End'), 'C');
});
