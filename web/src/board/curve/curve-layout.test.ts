import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../../test/support/market/bond-figures.ts';
import { layoutCurve, usualPoints } from './curve-layout.ts';
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
