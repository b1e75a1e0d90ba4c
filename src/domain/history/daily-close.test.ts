import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { EpochDay } from '../calendar/plain-date.ts';
import { barSeriesOf, emptySeries, rowsBefore } from './daily-close.ts';

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

test('closes as columns have NaN where a value is not known', () => {
  const first = { day: 1 as EpochDay, close: 2, volume: 3, open: 4, high: 5, low: 0 };
  assert.deepEqual(barSeriesOf([first, { day: 7 as EpochDay, close: 8, volume: null }]), {
    days: Int32Array.of(1, 7),
    closes: Float64Array.of(2, 8),
    volumes: Float64Array.of(3, Number.NaN),
    opens: Float64Array.of(4, Number.NaN),
    highs: Float64Array.of(5, Number.NaN),
    lows: Float64Array.of(0, Number.NaN),
  });
});
