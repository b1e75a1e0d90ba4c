import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { averageKinds, periodsMax, periodsMin } from '../../places/chart-choices.ts';
import { averageOf } from './averages.ts';

const line = (values: readonly number[]) => values.map((value, time) => ({ time, value }));
const texts = (points: readonly { readonly time: string | number; readonly value: number }[]) =>
  points.map(({ time, value }) => `${time}: ${value.toFixed(4)}`);

test('a simple average is the mean of the last values, from the first full window on', () => {
  const average = averageOf(line([10, 20, 60, 40, 5]), { kind: 'simple', periods: 3 });
  assert.deepEqual(texts(average), ['2: 30.0000', '3: 40.0000', '4: 35.0000']);
});

test('an exponential average begins with the mean of its first window, then weights 2 ÷ (n + 1)', () => {
  // With three periods the weight is ½: (30 + 40) ÷ 2 = 35, (35 + 5) ÷ 2 = 20.
  const average = averageOf(line([10, 20, 60, 40, 5]), { kind: 'exponencial', periods: 3 });
  assert.deepEqual(texts(average), ['2: 30.0000', '3: 35.0000', '4: 20.0000']);
});

test('a line that is shorter than the window has no average', () => {
  for (const kind of averageKinds) {
    assert.deepEqual(averageOf(line([1, 2]), { kind, periods: 3 }), []);
    assert.deepEqual(averageOf([], { kind, periods: 2 }), []);
    assert.equal(averageOf(line([1, 2, 6]), { kind, periods: 3 })[0]?.value, 3);
  }
});

/** The definitions, computed for each point by itself. */
const naive = {
  simple: (values: readonly number[], periods: number, at: number): number =>
    values.slice(at - periods + 1, at + 1).reduce((sum, value) => sum + value / periods, 0),
  exponencial: (values: readonly number[], periods: number, at: number): number => {
    const weight = 2 / (periods + 1);
    const later = values.slice(periods, at + 1);
    const first = naive.simple(values, periods, periods - 1);
    // The sum of all weighted values: none of the averages between is used.
    return later.reduce(
      (sum, value, index) => sum + value * weight * (1 - weight) ** (later.length - 1 - index),
      first * (1 - weight) ** later.length,
    );
  },
};

test('averages are what their definitions say, for prices of any size', () => {
  const price = fc.double({ min: 0.01, max: 5_000_000, noNaN: true });
  const cases = fc.record({
    values: fc.array(price, { maxLength: 900, size: 'max' }),
    kind: fc.constantFrom(...averageKinds),
    periods: fc.oneof(
      fc.integer({ min: periodsMin, max: 30 }),
      fc.integer({ min: periodsMin, max: periodsMax }),
    ),
  });
  fc.assert(
    fc.property(cases, ({ values, kind, periods }) => {
      const average = averageOf(line(values), { kind, periods });
      assert.equal(average.length, Math.max(0, values.length - periods + 1));
      for (const { time, value } of average) {
        const wanted = naive[kind](values, periods, Number(time));
        assert.ok(Math.abs(value - wanted) <= 1e-6 + 1e-9 * wanted, `${value}, not ${wanted}`);
      }
    }),
    { numRuns: 60 },
  );
});

test('a value of the past does not change when a later one comes', () => {
  const values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
  for (const kind of averageKinds) {
    const before = averageOf(line(values.slice(0, -1)), { kind, periods: 4 });
    assert.deepEqual(averageOf(line(values), { kind, periods: 4 }).slice(0, -1), before);
  }
});
