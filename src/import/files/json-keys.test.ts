import assert from 'node:assert/strict';
import { test } from 'node:test';

import { JsonKeys } from './json.ts';

test('each key is a column in order of appearance, and a row without a key has an empty cell', () => {
  const keys = new JsonKeys();
  assert.deepEqual(keys.rowOf({ a: 'x', b: 1.5 }), ['x', '1.5']);
  assert.deepEqual(keys.rowOf({ c: 2, b: null }), ['', '', '2']);
  assert.deepEqual(keys.rowOf({ a: true, c: {} }), ['', '', '']);
  assert.deepEqual(keys.header, ['a', 'b', 'c']);
});

test('a value that is not an object has no cells and no keys', () => {
  const keys = new JsonKeys();
  for (const value of ['text', 7, null, true, undefined]) assert.deepEqual(keys.rowOf(value), []);
  assert.deepEqual(keys.header, []);
});
