import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { decimalText } from './decimal-text.ts';

test('a number is written as by the locale of Argentina, whatever its size, its sign and its decimals', () => {
  const sizes = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ noNaN: true, min: -1e7, max: 1e7 }),
    // Decimal numbers, as those of quotes, of which many are half between two roundings.
    fc.tuple(fc.integer(), fc.integer({ min: 0, max: 9 })).map(([whole, at]) => whole / 10 ** at),
  );
  const decimals = fc.integer({ min: 0, max: 12 });
  fc.assert(
    fc.property(sizes, decimals, decimals, fc.boolean(), (value, one, other, hasPlus) => {
      const [least, most] = [Math.min(one, other), Math.max(one, other)];
      const locale = new Intl.NumberFormat('es-AR', {
        minimumFractionDigits: least,
        maximumFractionDigits: most,
        signDisplay: hasPlus ? 'exceptZero' : 'negative',
      });
      const expected = locale.format(value).replace('-', '\u2212');
      assert.equal(decimalText(value, { least, most, hasPlus }), expected);
    }),
    { numRuns: 2_000 },
  );
});

test('a half is rounded away from zero, also where a binary number is a little less than it', () => {
  assert.equal(decimalText(1.005, { least: 2, most: 2 }), '1,01');
  assert.equal(decimalText(-1.005, { least: 2, most: 2 }), '\u22121,01');
  assert.equal(decimalText(0.5, { least: 0, most: 0 }), '1');
  assert.equal(decimalText(0.05, { least: 0, most: 0 }), '0');
  assert.equal(decimalText(999.995, { least: 2, most: 2 }), '1.000,00');
});

test('what is no number is written as it is', () => {
  assert.equal(decimalText(Number.NaN, { least: 2, most: 2 }), 'NaN');
});
