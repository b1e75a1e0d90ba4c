import { test } from 'node:test';
import assert from 'node:assert/strict';
import {
  al30,
  day,
  lecap,
  makeTerms,
  sampleBond,
} from '../../../test/support/market/bond-samples.ts';
import { assertNear } from '../../../test/support/market/near.ts';
import { accruedOn } from './accrual.ts';
import { conventions } from './conventions.ts';

const bond = sampleBond(al30);
const { pizarra, screenermatic, ecovalores } = conventions;

test('interest accrues by the rule of the convention', () => {
  // 0.75 % on 72 from 2026-01-09 to 2026-03-03: 54 days of 30/360, 53 calendar days of 181.
  const on = day('2026-03-03');
  assertNear(accruedOn(bond, on, pizarra), (72 * 0.0075 * 54) / 360, 1e-12);
  assertNear(accruedOn(bond, on, screenermatic), 0.081, 1e-12);
  assertNear(accruedOn(bond, on, ecovalores), (0.27 * 53) / 181, 1e-12);
  const actual = sampleBond({ ...al30, dayCount: 'act/365' });
  assertNear(accruedOn(actual, on, pizarra), (72 * 0.0075 * 53) / 365, 1e-12);
});

test('nothing has accrued on the date of a coupon, before the issue and after the maturity', () => {
  for (const date of ['2026-01-09', '2020-09-04', '2019-01-01', '2030-07-09', '2035-01-01']) {
    assert.equal(accruedOn(bond, day(date), pizarra), 0, date);
  }
});

test('a bill that capitalises accrues at its monthly rate', () => {
  const bill = sampleBond(lecap);
  // Three months.
  assertNear(accruedOn(bill, day('2026-03-15'), ecovalores), 7.0599167, 1e-7);
  assert.equal(accruedOn(bill, day('2025-12-15'), pizarra), 0);
});

test('by screenermatic, a bill accrues its whole interest in equal parts for each day of 30/360', () => {
  const bill = sampleBond(lecap);
  const whole = bill.flows[0]?.interest ?? assert.fail('no interest');
  // 90 of 345 days.
  assertNear(accruedOn(bill, day('2026-03-15'), screenermatic), (whole * 90) / 345, 1e-12);
  assert.equal(accruedOn(bill, day('2025-12-15'), screenermatic), 0);
  assert.ok(whole - (accruedOn(bill, day('2026-11-29'), screenermatic) ?? 0) < whole / 340);
});

test('what accrues at a rate that is not known is null', () => {
  const terms = makeTerms({ interest: { type: 'floating', index: 'TAMAR', marginPercent: 0 } });
  assert.equal(accruedOn(sampleBond(terms), day('2026-01-01'), pizarra), null);
});
