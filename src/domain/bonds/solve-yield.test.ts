import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNear } from '../../../test/support/market/near.ts';
import { priceAt, solveYield } from './solve-yield.ts';

const inYears = (years: number, amount = 100) => [{ amount, years }];

test('the yield of a single payment is the growth in a year, by the compounding', () => {
  assertNear(solveYield(inYears(2, 121), 100, 1), 0.1, 1e-15);
  assertNear(solveYield(inYears(1, 121), 100, 2), 0.2, 1e-15);
  assertNear(solveYield(inYears(3), 100, 1), 0, 1e-16);
});

test('a yield may be negative, and is found from −99 % to 10,000 %', () => {
  assertNear(solveYield(inYears(1), 125, 1), -0.2, 1e-15);
  assertNear(solveYield(inYears(1), 100 / 0.010001, 1), -0.989999, 1e-12);
  assertNear(solveYield(inYears(1), 100 / 100.999, 1), 99.999, 1e-11);
});

test('outside of these bounds there is no yield', () => {
  assert.equal(solveYield(inYears(1), 100 / 0.0099, 1), null);
  assert.equal(solveYield(inYears(1), 100 / 101.1, 1), null);
});

test('without a price above zero, or without a later payment, there is no yield', () => {
  for (const price of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(solveYield(inYears(1), price, 1), null);
  }
  assert.equal(solveYield([], 100, 1), null);
  assert.equal(solveYield(inYears(1, 0), 100, 1), null);
  assert.equal(solveYield(inYears(0), 99, 1), null);
  assert.equal(solveYield(inYears(1, Number.NaN), 100, 1), null);
});

test('a payment of the same day is subtracted from the price', () => {
  const amounts = [...inYears(0, 10), ...inYears(1, 110)];
  assertNear(solveYield(amounts, 110, 1), 0.1, 1e-15);
  assert.equal(solveYield(amounts, 9, 1), null);
});

test('amounts in a thousand years give a yield and no overflow', () => {
  const amounts = [...inYears(0.01, 1e-3), ...inYears(1_000, 1e6)];
  const found = solveYield(amounts, 1, 1) ?? assert.fail('no yield');
  assertNear(priceAt(amounts, found, 1), 1, 1e-12);
  assertNear(solveYield(inYears(1_000, 1e-300), 1, 1), 1e-300 ** 0.001 - 1, 1e-12);
});
