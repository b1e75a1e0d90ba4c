import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readVisits, withVisit } from './visits.ts';

test('the latest visit is first, and each instrument is named once', () => {
  assert.deepEqual(withVisit([], 'GGAL'), ['GGAL']);
  assert.deepEqual(withVisit(['YPFD', 'GGAL', 'BMA'], 'GGAL'), ['GGAL', 'YPFD', 'BMA']);
});

test('only the last eight are remembered', () => {
  const eight = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
  assert.deepEqual(withVisit(eight, 'I'), ['I', ...eight.slice(0, 7)]);
  assert.deepEqual(readVisits([...eight, 'I', 'A']), eight);
});

test('a stored value that is not a list of texts is refused', () => {
  for (const value of [null, 'GGAL', { 0: 'GGAL' }, ['GGAL', 1]]) {
    assert.equal(readVisits(value), undefined);
  }
});
