import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { formatExactNumber } from './exact-number.ts';

test('contract 2.1.7: small numbers have no exponent, and there is no minus zero', () => {
  assert.equal(formatExactNumber(-1.25e-10), '-0.000000000125');
  assert.equal(formatExactNumber(-0), '0');
});

test('contract 2.1.7: numbers from 1e21 on have an exponent, and those below have none', () => {
  assert.equal(formatExactNumber(999_999_999_999_999_900_000), '999999999999999900000');
  assert.equal(formatExactNumber(1e21), '1e+21');
});

test('every finite number is written as JSON that reads back as the same number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = formatExactNumber(value);
      assert.equal(JSON.parse(text), value === 0 ? 0 : value);
      if (Math.abs(value) < 1e21) assert.doesNotMatch(text, /e/);
    }),
  );
});

test('a number that JSON cannot represent is refused', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assert.throws(() => formatExactNumber(value), RangeError);
  }
});
