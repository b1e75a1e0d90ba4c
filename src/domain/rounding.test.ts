import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { percentChange, pointsChange, roundHalfAwayFromZero } from './rounding.ts';

/** A decimal as people write prices: an integer coefficient over a power of ten. */
const decimal = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }))
  .map(([units, decimals]) => ({
    units: BigInt(units),
    decimals,
    value: Number(`${units}e-${decimals}`),
  }));

function abs(n: bigint): bigint {
  return n < 0n ? -n : n;
}

/** Round half away from zero of a fraction to hundredths, in exact arithmetic. */
function hundredths(dividend: bigint, divisor: bigint): number {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [n, d] = [abs(dividend) * 100n, abs(divisor)];
  const quotient = n / d + ((n % d) * 2n >= d ? 1n : 0n);
  const rounded = Number(`${isNegative ? -quotient : quotient}e-2`);
  return rounded === 0 ? 0 : rounded;
}

test('row 20: a percent change is what exact arithmetic on the written decimals gives', () => {
  fc.assert(
    fc.property(decimal, decimal, (base, value) => {
      fc.pre(base.units !== 0n);
      const scale = 10n ** BigInt(Math.abs(base.decimals - value.decimals));
      const b = base.units * (base.decimals < value.decimals ? scale : 1n);
      const v = value.units * (value.decimals < base.decimals ? scale : 1n);
      const magnitude = b < 0n ? -b : b;
      assert.equal(percentChange(base.value, value.value), hundredths((v - b) * 100n, magnitude));
    }),
    { numRuns: 2000 },
  );
});

test('row 20: halves are rounded away from zero, on either side, also where binary falls short', () => {
  // 100 → 100.005 is +0.005 %, which binary arithmetic makes 0.00499999…
  assert.equal(percentChange(100, 100.005), 0.01);
  assert.equal(percentChange(100, 99.995), -0.01);
  assert.equal(percentChange(200, 202.01), 1.01);
  assert.equal(percentChange(80, 80.0_04), 0.01);
  assert.equal(pointsChange(21.8, 21.805), 0.01);
  assert.equal(pointsChange(21.8, 21.795), -0.01);
  assert.equal(roundHalfAwayFromZero(1.005, 2), 1.01);
  assert.equal(roundHalfAwayFromZero(-1.005, 2), -1.01);
  assert.equal(roundHalfAwayFromZero(1e-7, 2), 0);
});

test('row 20: a change is never minus zero', () => {
  fc.assert(
    fc.property(decimal, fc.double({ min: -1e-6, max: 1e-6, noNaN: true }), (base, noise) => {
      for (const change of [
        percentChange(base.value, base.value * (1 + noise)),
        pointsChange(base.value, base.value + noise),
        roundHalfAwayFromZero(noise, 2),
      ]) {
        assert.ok(!Object.is(change, -0));
      }
    }),
  );
});

test('row 20: without a base, or with a base of zero, there is no percent change', () => {
  assert.equal(percentChange(0, 5), null);
  assert.equal(percentChange(Number.NaN, 5), null);
  assert.equal(percentChange(5, Number.POSITIVE_INFINITY), null);
  assert.equal(pointsChange(0, 5), 5);
});

test('a change too large for a number is none', () => {
  assert.equal(pointsChange(-Number.MAX_VALUE, Number.MAX_VALUE), null);
  assert.equal(percentChange(1, Number.MAX_VALUE), null);
});

test('rounding keeps a value that has few enough decimals, to the bit', () => {
  fc.assert(
    fc.property(decimal, ({ value, decimals }) => {
      assert.equal(roundHalfAwayFromZero(value, decimals), value === 0 ? 0 : value);
    }),
  );
});

test('rounding is idempotent and moves a value by half a unit at most', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e12, max: 1e12, noNaN: true }),
      fc.integer({ min: 0, max: 8 }),
      (value, decimals) => {
        const once = roundHalfAwayFromZero(value, decimals);
        assert.equal(roundHalfAwayFromZero(once, decimals), once);
        const tolerance = 0.5 * 10 ** -decimals * (1 + 1e-9) + Math.abs(value) * Number.EPSILON;
        assert.ok(Math.abs(once - value) <= tolerance);
      },
    ),
  );
});

test('numbers that are written with an exponent are rounded as those that are not', () => {
  assert.equal(roundHalfAwayFromZero(1.5e-7, 7), 2e-7);
  assert.equal(roundHalfAwayFromZero(1.5e-7, 8), 1.5e-7);
  assert.equal(roundHalfAwayFromZero(1.25e-7, 8), 1.3e-7);
  assert.equal(roundHalfAwayFromZero(-5e-8, 7), -1e-7);
  assert.equal(roundHalfAwayFromZero(4e-8, 7), 0);
  assert.equal(roundHalfAwayFromZero(1e21, 2), 1e21);
  assert.equal(roundHalfAwayFromZero(1.5e300, 0), 1.5e300);
});

test('decimals are 0 to 15, and a value is a number', () => {
  assert.equal(roundHalfAwayFromZero(0.5, 0), 1);
  assert.equal(roundHalfAwayFromZero(0.1234567890123455, 15), 0.123456789012346);
  for (const decimals of [-1, 16, 0.5, Number.NaN]) {
    assert.throws(() => roundHalfAwayFromZero(1, decimals), RangeError, String(decimals));
  }
  for (const value of [Number.NaN, Infinity]) {
    assert.throws(() => roundHalfAwayFromZero(value, 2), RangeError);
  }
});

test('a change of a very small or a very large number is exact too', () => {
  assert.equal(percentChange(1e-9, 1.5e-9), 50);
  assert.equal(percentChange(-2, -1), 50);
  assert.equal(percentChange(1, 12_345_678.905), 1_234_567_790.5);
  assert.equal(pointsChange(1e21, 3e21), 2e21);
  assert.equal(pointsChange(1e-9, 2e-9), 0);
  assert.equal(pointsChange(1, 1.5), 0.5);
});
