import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../../test/support/market/bond-figures.ts';
import type { CurvePoint } from './curve-points.ts';
import { fitCurves, previousRate } from './fit-curve.ts';

function point(duration: number, rate: number, more: Partial<CurvePoint> = {}): CurvePoint {
  const bond = bondFigures({ tipoCambio: null });
  return { ticker: '', family: 'dolar-ny', duration, rate, bond, isEarlier: false, ...more };
}

const rateAt = (duration: number) => 6 + 2 * Math.log1p(duration) - 0.3 * Math.log1p(duration) ** 2;

test('the curve of points on a parabola of the logarithm is that parabola', () => {
  const durations = [0.5, 1, 2, 3.5, 5, 6];
  const [curve] = fitCurves(durations.map((duration) => point(duration, rateAt(duration))));
  assert.ok(curve !== undefined);
  assert.deepEqual([curve.family, curve.from, curve.to], ['dolar-ny', 0.5, 6]);
  for (const duration of [0.5, 2.7, 6]) {
    assert.ok(Math.abs(curve.rateAt(duration) - rateAt(duration)) < 1e-6);
  }
});

test('few points have a line of the logarithm, and three have none', () => {
  const points = [point(1, 5), point(2, 7), point(3, 7), point(4, 9)];
  const [line] = fitCurves(points);
  assert.ok(line !== undefined);
  const [a, b, c] = [0.5, 1, 1.5].map((at) => line.rateAt(Math.expm1(at)));
  assert.ok(Math.abs((c ?? 0) - 2 * (b ?? 0) + (a ?? 0)) < 1e-9);
  assert.deepEqual(fitCurves(points.slice(1)), []);
  assert.deepEqual(fitCurves(points.map((one) => ({ ...one, duration: 2 }))), []);
});

test('the curve of yields that flatten does not fall again before the last bond', () => {
  const real = [0.1, 5.2, 0.5, 6.5, 1, 6.7, 1.4, 7.4, 2.2, 9.7, 2.6, 10.5, 5.7, 10.6, 8.6, 10.6];
  const points = real.flatMap((rate, at) => (at % 2 === 0 ? [] : [point(real[at - 1] ?? 0, rate)]));
  const [curve] = fitCurves(points);
  assert.ok(curve !== undefined);
  const highest = Math.max(...[4, 5, 6, 7, 8].map(curve.rateAt));
  assert.ok(highest - curve.rateAt(8.6) < 0.3, `${highest} and then ${curve.rateAt(8.6)}`);
});

test('a price of an earlier session is not part of the curve', () => {
  const points = [point(1, 5), point(2, 7), point(3, 7), point(4, 900, { isEarlier: true })];
  assert.deepEqual(fitCurves(points), []);
});

test('the yield of the previous close is higher by the rise of the price over the duration', () => {
  assert.equal(previousRate(point(4, 8, { change: 2 })), 8.5);
  assert.equal(previousRate(point(4, 8)), undefined);
  assert.equal(previousRate(point(0.1, 8, { change: 2 })), undefined);
  assert.equal(previousRate(point(4, 8, { change: 2, family: 'cer' })), undefined);
  const inPesos = bondFigures({ tipoCambio: 1400 });
  assert.equal(previousRate(point(4, 8, { change: 2, bond: inPesos })), undefined);
});
