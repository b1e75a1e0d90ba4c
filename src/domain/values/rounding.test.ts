import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { percentChange, pointsChange, roundAdjusted, roundHalfAwayFromZero } from './rounding.ts';

/** A decimal as people write prices: an integer coefficient divided by a power of ten. */
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

/** A fraction rounded half away from zero to hundredths, in exact arithmetic. */
function hundredths(dividend: bigint, divisor: bigint): number {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [n, d] = [abs(dividend) * 100n, abs(divisor)];
  const quotient = n / d + ((n % d) * 2n >= d ? 1n : 0n);
  const rounded = Number(`${isNegative ? -quotient : quotient}e-2`);
  return rounded === 0 ? 0 : rounded;
}

test('contract 2.1.3: a percent change equals exact arithmetic on the written decimals', () => {
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

test('contract 2.1.3: halves are rounded away from zero, also where binary arithmetic is below the half', () => {
  // 100 → 100.005 is +0.005 %. In binary arithmetic it is 0.00499999…
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

test('contract 2.1.3: a change is never minus zero', () => {
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

test('contract 2.1.3: without a base, or with a base of zero, the percent change is null', () => {
  assert.equal(percentChange(0, 5), null);
  assert.equal(percentChange(Number.NaN, 5), null);
  assert.equal(percentChange(5, Number.POSITIVE_INFINITY), null);
  assert.equal(pointsChange(0, 5), 5);
});

test('a change in points from or to a number that is not finite is null', () => {
  for (const one of [Number.NaN, Infinity, -Infinity]) {
    assert.equal(pointsChange(one, 5), null);
    assert.equal(pointsChange(5, one), null);
  }
});

test('a change too large for a number is null', () => {
  assert.equal(pointsChange(-Number.MAX_VALUE, Number.MAX_VALUE), null);
  assert.equal(percentChange(1, Number.MAX_VALUE), null);
});

test('rounding returns a value with few enough decimals unchanged, to the bit', () => {
  fc.assert(
    fc.property(decimal, ({ value, decimals }) => {
      assert.equal(roundHalfAwayFromZero(value, decimals), value === 0 ? 0 : value);
    }),
  );
});

test('rounding is idempotent and moves a value by at most half a unit', () => {
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

test('numbers written with an exponent are rounded like any other', () => {
  assert.equal(roundHalfAwayFromZero(1.5e-7, 7), 2e-7);
  assert.equal(roundHalfAwayFromZero(1.5e-7, 8), 1.5e-7);
  assert.equal(roundHalfAwayFromZero(1.25e-7, 8), 1.3e-7);
  assert.equal(roundHalfAwayFromZero(-5e-8, 7), -1e-7);
  assert.equal(roundHalfAwayFromZero(4e-8, 7), 0);
  assert.equal(roundHalfAwayFromZero(1e21, 2), 1e21);
  assert.equal(roundHalfAwayFromZero(1.5e300, 0), 1.5e300);
});

test('rounding refuses decimals outside 0 to 15 and values that are not finite', () => {
  assert.equal(roundHalfAwayFromZero(0.5, 0), 1);
  assert.equal(roundHalfAwayFromZero(0.1234567890123455, 15), 0.123456789012346);
  for (const decimals of [-1, 16, 0.5, Number.NaN]) {
    assert.throws(() => roundHalfAwayFromZero(1, decimals), RangeError, String(decimals));
  }
  for (const value of [Number.NaN, Infinity]) {
    assert.throws(() => roundHalfAwayFromZero(value, 2), RangeError);
  }
});

test('the change of a very small or a very large number is exact', () => {
  assert.equal(percentChange(1e-9, 1.5e-9), 50);
  assert.equal(percentChange(-2, -1), 50);
  assert.equal(percentChange(100, 100.004_999_999_999), 0);
  assert.equal(percentChange(100, 99.995_000_000_001), 0);
  assert.equal(percentChange(1, 12_345_678.905), 1_234_567_790.5);
  assert.equal(pointsChange(1e21, 3e21), 2e21);
  assert.equal(pointsChange(1e-9, 2e-9), 0);
  assert.equal(pointsChange(1, 1.5), 0.5);
});

test('minus zero is rounded to zero, and so is everything that rounds to it', () => {
  for (const value of [-0, 0, -0.001, 1e-9, -1e-9]) {
    // Without decimals, "0" has more characters than a text that needs no rounding.
    for (const decimals of [0, 2]) {
      const rounded = roundHalfAwayFromZero(value, decimals);
      assert.ok(Object.is(rounded, 0), `${value}, ${decimals} decimals`);
    }
  }
});

test('a percent change needs two finite numbers and a base', () => {
  const wrong = [Number.NaN, Infinity, -Infinity];
  for (const one of wrong) {
    for (const other of [...wrong, 0, -1, 5]) {
      assert.equal(percentChange(one, other), null, `${one} to ${other}`);
      assert.equal(percentChange(other, one), null, `${other} to ${one}`);
    }
  }
  for (const value of [0, 5, -5]) assert.equal(percentChange(0, value), null);
});

test('contract 4.2.6: an adjusted value is rounded to 8 decimals', () => {
  for (const [value, rounded] of [
    [0, 0],
    [10 / 3, 3.333_333_33],
    [20 / 3, 6.666_666_67],
    [90.999_999_999_999_99, 91],
    [1.234_567_885_1, 1.234_567_89],
    [1.234_567_884_9, 1.234_567_88],
    [0.000_000_005, 0.000_000_01],
    [0.000_000_01, 0.000_000_01],
    [-10 / 3, -3.333_333_33],
    [-0.000_000_001, 0],
    [90_071_992.547_409_9, 90_071_992.547_409_9],
    [123_456_789 / 1.09, 113_263_109.174_312],
    [1e15 / 3, 333_333_333_333_333],
    [1e21, 1e21],
  ] as const) {
    assert.equal(roundAdjusted(value), rounded, `${value}`);
  }
  assert.ok(Number.isNaN(roundAdjusted(Number.NaN)));
  assert.throws(() => roundAdjusted(Number.POSITIVE_INFINITY), RangeError);
});

test('contract 2.1.8: an adjusted value that would become 0 has three significant digits', () => {
  assert.equal(roundAdjusted(0.000_000_004_999), 5e-9);
  assert.equal(roundAdjusted(0.000_000_001_234), 1.23e-9);
  assert.equal(roundAdjusted(1.999e-12), 2e-12);
});

test('an adjusted value is within half of the last decimal of the given value', () => {
  const price = fc.double({ min: 1e-6, max: 9e7, noNaN: true });
  fc.assert(
    fc.property(price, (value) => {
      const rounded = roundAdjusted(value);
      assert.ok(Math.abs(rounded - value) <= 5.000_001e-9 + value * 2e-16);
      assert.ok((String(rounded).split('.')[1] ?? '').length <= 8 || rounded < 1e-6);
    }),
    { numRuns: 2_000 },
  );
});
