import assert from 'node:assert/strict';
import { test } from 'node:test';

import { editDistances } from './edit-distances.ts';

test('an insertion, a deletion, a replacement and a swap of neighbours are one edit each', () => {
  for (const typed of ['GALICCIA', 'GALCIA', 'GALISIA', 'GLAICIA', 'AGLICIA']) {
    assert.equal(editDistances(typed, 'GALICIA').whole, 1, typed);
  }
  assert.equal(editDistances('KITTEN', 'SITTING').whole, 3);
  // A swap needs both characters.
  for (const [typed, word] of [
    ['XB', 'BY'],
    ['AX', 'YA'],
    ['CXB', 'CBY'],
  ] as const) {
    assert.equal(editDistances(typed, word).whole, 2, typed);
  }
  assert.equal(editDistances('', 'ABC').whole, 3);
  assert.equal(editDistances('ABC', '').whole, 3);
});

test('what is typed so far is compared with the beginning of a word', () => {
  assert.deepEqual(editDistances('GALIS', 'GALICIA'), { whole: 3, beginning: 1 });
  assert.deepEqual(editDistances('GAL', 'GALICIA'), { whole: 4, beginning: 0 });
  assert.deepEqual(editDistances('', 'GALICIA'), { whole: 7, beginning: 0 });
});
