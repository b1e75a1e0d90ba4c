import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '../../../test/support/market/bond-samples.ts';
import { couponDatesOf, couponsPerYear } from './coupon-dates.ts';

const regular = (months: number, first: string, maturity: string) =>
  couponDatesOf({
    couponDates: { type: 'regular', months, first: day(first) },
    maturity: day(maturity),
  });

test('coupons follow each other at the same distance until the maturity', () => {
  assert.deepEqual(regular(6, '2029-01-09', '2030-07-09'), [
    '2029-01-09',
    '2029-07-09',
    '2030-01-09',
    '2030-07-09',
  ]);
});

test('a day that a month does not have is its last day, and the later day returns', () => {
  assert.deepEqual(regular(3, '2024-05-31', '2025-05-31'), [
    '2024-05-31',
    '2024-08-31',
    '2024-11-30',
    '2025-02-28',
    '2025-05-31',
  ]);
});

test('a first coupon on the last day of its month stands for the 31st if the maturity is on one', () => {
  assert.deepEqual(regular(6, '2032-06-30', '2033-12-31').slice(0, 2), [
    '2032-06-30',
    '2032-12-31',
  ]);
});

test('a first coupon on the 30th of a month of 31 days stays on the 30th', () => {
  assert.deepEqual(regular(6, '2026-05-30', '2027-05-30'), [
    '2026-05-30',
    '2026-11-30',
    '2027-05-30',
  ]);
});

test('the last date is the maturity, after a shorter period too', () => {
  assert.deepEqual(regular(6, '2037-09-30', '2038-12-31').slice(-2), ['2038-09-30', '2038-12-31']);
});

test('a bond without coupon dates has its maturity alone, and one with a list those before it', () => {
  const maturity = day('2027-01-29');
  assert.deepEqual(couponDatesOf({ couponDates: { type: 'at-maturity' }, maturity }), [maturity]);
  const dates = [day('2026-03-31'), day('2026-04-30')];
  for (const last of [[], [maturity]]) {
    const couponDates = { type: 'listed', dates: [...dates, ...last] } as const;
    assert.deepEqual(couponDatesOf({ couponDates, maturity }), [...dates, maturity]);
  }
});

test('the number of coupons in a year comes from the distance, or from the listed dates', () => {
  const dates = ['2026-03-31', '2026-04-30', '2026-05-29', '2026-06-30'].map(day);
  assert.equal(couponsPerYear({ couponDates: { type: 'listed', dates } }), 12);
  assert.equal(couponsPerYear({ couponDates: { type: 'listed', dates: dates.slice(0, 1) } }), 1);
  const rare = ['2026-03-31', '2031-03-31'].map(day);
  assert.equal(couponsPerYear({ couponDates: { type: 'listed', dates: rare } }), 1);
  const first = day('2026-01-09');
  assert.equal(couponsPerYear({ couponDates: { type: 'regular', months: 3, first } }), 4);
  assert.equal(couponsPerYear({ couponDates: { type: 'at-maturity' } }), 1);
});
