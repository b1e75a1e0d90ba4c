import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { formatNumber, formatValue } from './number.ts';

test('contract 2.1.7: a stored value has its shortest decimal, without padding', () => {
  assert.equal(formatNumber(7410, 4), '7410');
  assert.equal(formatNumber(0.1 + 0.2, 4), '0.3');
  assert.equal(formatNumber(1500.55, 4), '1500.55');
});

test('contract 2.1.7: a value is rounded half away from zero to the maximum number of decimals', () => {
  assert.equal(formatNumber(1.005, 2), '1.01');
  assert.equal(formatNumber(-1.005, 2), '-1.01');
  assert.equal(formatNumber(2.5, 0), '3');
});

test('contract 2.1.7: small numbers have no exponent', () => {
  assert.equal(formatNumber(0.00000012, 8), '0.00000012');
  assert.equal(formatNumber(1e-7, 8), '0.0000001');
});

test('contract 2.1.7: there is no minus zero', () => {
  assert.equal(formatNumber(-0, 2), '0');
  assert.equal(formatNumber(-0.001, 2), '0');
});

function instrumentOf(kind: Instrument['kind']): Instrument {
  const [instrument] = makeUniverse([{ ticker: 'X', kind, decimals: 2 }]).instruments;
  assert.ok(instrument !== undefined);
  return instrument;
}

test('contract 2.1.8: a positive price that would be rounded to 0 has three significant digits', () => {
  const crypto = instrumentOf('crypto');
  assert.equal(formatValue(0.0012345, crypto), '0.00123');
  assert.equal(formatValue(0.0049999, crypto), '0.005');
  assert.equal(formatValue(0.005, crypto), '0.01');
  assert.equal(formatValue(0, crypto), '0');
  assert.equal(formatValue(-0.001, crypto), '0');
  assert.equal(formatValue(0.001, instrumentOf('interest-rate')), '0');
});

test('a number that JSON cannot represent is refused', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assert.throws(() => formatNumber(value, 2), RangeError);
  }
});

test('no number is written with more decimals than the maximum', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
      fc.integer({ min: 0, max: 15 }),
      (value, decimals) => {
        const [, fraction = ''] = formatNumber(value, decimals).split('.');
        assert.ok(fraction.length <= decimals);
      },
    ),
  );
});
