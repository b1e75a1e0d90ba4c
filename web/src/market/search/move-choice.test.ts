import assert from 'node:assert/strict';
import { test } from 'node:test';

import { moveChoice } from './move-choice.ts';

test('the arrows move by one option, and past an end to the other end', () => {
  assert.equal(moveChoice('ArrowDown', { chosen: 0, count: 3 }), 1);
  assert.equal(moveChoice('ArrowDown', { chosen: 2, count: 3 }), 0);
  assert.equal(moveChoice('ArrowUp', { chosen: 2, count: 3 }), 1);
  assert.equal(moveChoice('ArrowUp', { chosen: 0, count: 3 }), 2);
});

test('a page moves by eight options and stops at the ends', () => {
  assert.equal(moveChoice('PageDown', { chosen: 1, count: 50 }), 9);
  assert.equal(moveChoice('PageDown', { chosen: 45, count: 50 }), 49);
  assert.equal(moveChoice('PageUp', { chosen: 9, count: 50 }), 1);
  assert.equal(moveChoice('PageUp', { chosen: 3, count: 50 }), 0);
});

test('another key moves nothing, and neither does any key without options', () => {
  assert.equal(moveChoice('a', { chosen: 1, count: 3 }), undefined);
  assert.equal(moveChoice('ArrowDown', { chosen: 0, count: 0 }), undefined);
});
