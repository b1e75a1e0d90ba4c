import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { emptySeries, rowsBefore } from './daily-close.ts';

test('the empty series has no row in any column', () => {
  const { days, closes, volumes } = emptySeries;
  assert.deepEqual([days.length, closes.length, volumes.length], [0, 0, 0]);
});

test('the rows before a day are those of smaller days, as counting them one by one gives', () => {
  const day = fc.integer({ min: -20, max: 20 });
  fc.assert(
    fc.property(fc.uniqueArray(day, { maxLength: 12 }), day, (days, before) => {
      const ascending = Int32Array.from(days).toSorted();
      assert.equal(rowsBefore(ascending, before), days.filter((one) => one < before).length);
    }),
    { numRuns: 500 },
  );
});

test('the series without rows has no value in any column', () => {
  assert.deepEqual(
    Object.values(emptySeries).map((column: ArrayLike<number>) => column.length),
    [0, 0, 0],
  );
});
