import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { bondFigures } from '../../../../test/support/market/bond-figures.ts';
import { layoutCurve, roundScale, steadyScale, usualRange, usualPoints } from './curve-layout.ts';
import type { CurvePoint } from './curve-points.ts';

const frame = { width: 600, height: 400 };

function pointsOf(rates: readonly number[]): readonly CurvePoint[] {
  return rates.map((rate, at) => ({
    ticker: `B${at}`,
    family: 'cer',
    duration: at + 1,
    rate,
    bond: bondFigures({}),
    isEarlier: false,
  }));
}

const usual = [7, 8, 9, 9.5, 10, 11];
test('a yield far from the others is outside, and does not flatten the axis', () => {
  const points = usualPoints(pointsOf([...usual, 900]));
  assert.deepEqual(
    points.map(({ rate }) => rate),
    usual,
  );
  const { down } = layoutCurve(points, frame, undefined);
  assert.ok(down.to < 15, String(down.to));
});

test('points lie within the frame, a higher yield above and a longer duration at the right', () => {
  const { placed } = layoutCurve(pointsOf(usual), frame, undefined);
  for (const [at, { x, y }] of placed.entries()) {
    assert.ok(x >= 0 && x <= frame.width && y >= 0 && y <= frame.height);
    const before = placed[at - 1];
    assert.ok(before === undefined || (before.x < x && before.y > y));
  }
});

test('the axes stay while they fit, also when another point becomes an outlier', () => {
  const before = layoutCurve(pointsOf(usual), frame, undefined);
  const next = layoutCurve(pointsOf([7.2, 8, 9, 9.5, 10, 10.9]), frame, before);
  assert.equal(next.down, before.down);
  assert.equal(next.across, before.across);
});

test('a value far from the others does not widen the range, and few values have no outliers', () => {
  assert.deepEqual(usualRange([[7, 8, 9, 9.5, 10, 11, 900]]), [7, 11]);
  assert.deepEqual(
    usualRange([
      [-80, 7, 8, 9],
      [9.5, 10, 11],
    ]),
    [7, 11],
  );
  assert.deepEqual(usualRange([[7, 8, 9, 9.5, 10, 11]]), [7, 11]);
  assert.deepEqual(usualRange([[1, 2, 3, 900]]), [1, 900]);
  assert.deepEqual(usualRange([]), [0, 0]);
});

test('a group far from the others is within the range, without its own outliers', () => {
  const dollars = [7, 7.5, 8, 8.2, 8.5, 9, 9.5, 10, 10.5, 11];
  assert.deepEqual(usualRange([dollars, [31, 32, 33, 34, 35, 140]]), [7, 35]);
  assert.deepEqual(usualRange([dollars, [140]]), [7, 11]);
});

test('a scale has round marks and all values of its range', () => {
  assert.deepEqual(roundScale([0.4, 5.1], 6), { from: 0, to: 6, ticks: [0, 1, 2, 3, 4, 5, 6] });
  assert.deepEqual(roundScale([-3, 12], 4), { from: -5, to: 15, ticks: [-5, 0, 5, 10, 15] });
  assert.deepEqual(roundScale([0.1, 0.3], 2).ticks, [0.1, 0.2, 0.3]);
  // Four decimals, as the service sends them.
  const value = fc.integer({ min: -1e8, max: 1e8 }).map((one) => one / 1e4);
  fc.assert(
    fc.property(value, value, fc.integer({ min: 2, max: 10 }), (a, b, count) => {
      const [least, greatest] = [Math.min(a, b), Math.max(a, b)];
      const { from, to, ticks } = roundScale([least, greatest], count);
      const slack = 1e-9;
      assert.ok(from <= least + slack && to >= greatest - slack && from < to);
      assert.ok(ticks.length >= 2 && ticks.length <= count * 2 + 3, String(ticks.length));
    }),
  );
});

test('a scale stays while it has all values, and changes when it is much too wide', () => {
  const before = roundScale([0, 20], 4);
  assert.equal(steadyScale(before, roundScale([1, 16], 4)), before);
  const beyond = roundScale([1, 23], 4);
  assert.equal(steadyScale(before, beyond), beyond);
  const narrow = roundScale([1, 5], 4);
  assert.equal(steadyScale(before, narrow), narrow);
  assert.equal(steadyScale(undefined, narrow), narrow);
});
