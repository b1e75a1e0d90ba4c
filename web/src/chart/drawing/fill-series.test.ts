import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { ChartContent } from './chart-content.ts';
import type { Datum, Drawing } from './chart-drawings.ts';
import { SeriesFiller } from './fill-series.ts';

/** A series that stores its values as the library does, and counts the calls. */
class StoredSeries {
  values: readonly Datum[] = [];
  fills = 0;
  updates = 0;

  setData(values: readonly Datum[]): void {
    this.fills += 1;
    this.values = values;
  }

  update(value: Datum): void {
    this.updates += 1;
    const last = this.values.at(-1)?.time ?? '';
    assert.ok(value.time >= last, 'the library refuses a value before the last one');
    this.values = [...this.values.filter(({ time }) => time !== value.time), value];
  }
}

/** Shows one content after the other, and returns the series. */
function show(...contents: readonly (readonly Datum[])[]): StoredSeries {
  const stored = new StoredSeries();
  const filler = new SeriesFiller();
  const showIn = (drawn: Drawing['series'], values: readonly Datum[]) => {
    const drawing: Drawing = { series: drawn, valuesOf: () => values };
    filler.show(drawing, {} as ChartContent);
  };
  const series = stored as unknown as Drawing['series'];
  for (const values of contents) showIn(series, values);
  return stored;
}

const day = (number: number, value: number): Datum => ({ time: `2026-11-${10 + number}`, value });
const candle = (number: number, close: number): Datum => ({
  time: `2026-11-${10 + number}`,
  open: 1,
  high: 9,
  low: 1,
  close,
});

test('a change of the last value is an update, and so is a value after it', () => {
  for (const value of [day, candle]) {
    const series = show(
      [value(1, 5), value(2, 6)],
      [value(1, 5), value(2, 7)],
      [value(1, 5), value(2, 8), value(3, 2)],
    );
    assert.deepEqual([series.fills, series.updates], [1, 3]);
    assert.deepEqual(series.values, [value(1, 5), value(2, 8), value(3, 2)]);
  }
});

test('equal values change nothing', () => {
  const series = show([candle(1, 5)], [candle(1, 5)], [candle(1, 5)]);
  assert.deepEqual([series.fills, series.updates], [1, 0]);
});

test('an earlier value that changes, or that is gone, replaces all values', () => {
  assert.equal(show([day(1, 5), day(2, 6)], [day(1, 4), day(2, 6)]).fills, 2);
  assert.equal(show([day(1, 5), day(2, 6)], [day(1, 5)]).fills, 2);
  assert.equal(show([day(1, 5), day(2, 6)], [day(2, 6)]).fills, 2);
  assert.deepEqual(show([day(1, 5)], []).values, []);
  assert.deepEqual(show([], [day(1, 5)]).values, [day(1, 5)]);
});

test('a last value at another time replaces all values, because an update would keep the old one', () => {
  const series = show([day(1, 5), day(2, 6)], [day(1, 5), day(3, 6)]);
  assert.deepEqual(series.values, [day(1, 5), day(3, 6)]);
});

test('whatever changes, the series has the values of the last content', () => {
  const content = fc
    .uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 6 })
    .chain((days) =>
      fc.tuple(
        ...days
          .toSorted((a, b) => a - b)
          .map((one) => fc.integer({ min: 1, max: 2 }).map((value) => day(one, value))),
      ),
    );
  fc.assert(
    fc.property(fc.array(content, { minLength: 1, maxLength: 6 }), (contents) => {
      assert.deepEqual(show(...contents).values, contents.at(-1));
    }),
  );
});
