import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EpochDay } from '../calendar/plain-date.ts';
import { indexDefinitions, indexNames, findIndex, type IndexName } from './index-name.ts';
import { IndexSeries, noIndices } from './index-series.ts';

const day = (number: number): EpochDay => number as EpochDay;
const value = (index: IndexName, at: number, number: number) => ({
  index,
  day: day(at),
  value: number,
  source: 'x',
});

test('a day has its own value or none: neither the value before nor anything computed', () => {
  const series = new IndexSeries(3, [
    value('CER', 12, 2),
    value('CER', 10, 1),
    value('UVA', 11, 9),
  ]);
  const shown = [9, 10, 11, 12, 13].map((at) => series.valueAt('CER', day(at)));
  assert.deepEqual(shown, [undefined, 1, undefined, 2, undefined]);
  assert.equal(series.valueAt('UVA', day(11)), 9);
  assert.equal(series.valueAt('BADLAR', day(11)), undefined);
  assert.equal(series.version, 3);
});

test('a range includes both ends, is ascending, and may lie outside the series', () => {
  const series = new IndexSeries(
    1,
    [5, 3, 4, 8].map((at) => value('CER', at, at)),
  );
  const days = (from: number, to: number) =>
    series.range('CER', day(from), day(to)).map((one) => one.day);
  assert.deepEqual(days(3, 5), [3, 4, 5]);
  assert.deepEqual(days(-1e6, 1e6), [3, 4, 5, 8]);
  assert.deepEqual(days(6, 7), []);
  assert.deepEqual(days(9, 20), []);
  assert.deepEqual(days(5, 3), []);
  assert.deepEqual(series.all('CER'), series.range('CER', day(3), day(8)));
  assert.deepEqual(series.extent('CER'), { from: 3, to: 8 });
});

test('an index without values has no days, no extent and no value', () => {
  assert.deepEqual(noIndices.all('CER'), []);
  assert.equal(noIndices.extent('CER'), undefined);
  assert.equal(noIndices.valueAt('CER', day(0)), undefined);
});

test('every index has a definition with a variable of its own, and a name is found as it is written', () => {
  const variables = indexNames.map((name) => indexDefinitions[name].bcraVariable);
  assert.deepEqual(variables, [30, 31, 5, 44, 7, 40, 27]);
  assert.equal(findIndex('CER'), 'CER');
  assert.equal(findIndex('cer'), undefined);
  assert.equal(findIndex('toString'), undefined);
});
