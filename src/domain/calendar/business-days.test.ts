import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byma, day } from '../../../test/support/market/bond-samples.ts';
import { businessDaysBefore, onOrAfter, settlementOf } from './business-days.ts';

// 2026-11-20 is a Friday, and Monday, 2026-11-23, is a holiday. On Monday, 2026-12-07, and on Thursday, 2026-12-24,
// nothing settles. 2026-12-08 and 2026-12-25 are holidays.

test('a trade settles on the next settlement day, or on its own day', () => {
  assert.equal(settlementOf(byma, day('2026-11-20'), 'next-day'), '2026-11-24');
  assert.equal(settlementOf(byma, day('2026-11-20'), 'same-day'), '2026-11-20');
});

test('a bridge day is a session on which nothing settles', () => {
  for (const term of ['same-day', 'next-day'] as const) {
    assert.equal(settlementOf(byma, day('2026-12-07'), term), '2026-12-09');
    assert.equal(settlementOf(byma, day('2026-12-24'), term), '2026-12-28');
  }
  assert.equal(settlementOf(byma, day('2026-12-04'), 'same-day'), '2026-12-04');
  assert.equal(settlementOf(byma, day('2026-12-04'), 'next-day'), '2026-12-09');
  // A trade of the weekend is one of the bridge day.
  assert.equal(settlementOf(byma, day('2026-12-05'), 'same-day'), '2026-12-09');
});

test('a day without a session trades on the first session after it', () => {
  assert.equal(settlementOf(byma, day('2026-11-21'), 'same-day'), '2026-11-24');
  assert.equal(settlementOf(byma, day('2026-11-21'), 'next-day'), '2026-11-25');
});

test('settlement days are counted back over weekends, holidays and bridge days, from any day', () => {
  assert.equal(businessDaysBefore(byma, day('2026-12-10'), 2), '2026-12-04');
  assert.equal(businessDaysBefore(byma, day('2026-12-07'), 1), '2026-12-04');
  assert.equal(businessDaysBefore(byma, day('2026-11-25'), 2), '2026-11-20');
  assert.equal(businessDaysBefore(byma, day('2026-11-21'), 1), '2026-11-20');
  assert.equal(businessDaysBefore(byma, day('2026-11-25'), 0), '2026-11-25');
});

test('a payment moves to a settlement day only if its own day is none', () => {
  assert.equal(onOrAfter(byma, day('2026-12-07')), '2026-12-09');
  assert.equal(onOrAfter(byma, day('2026-11-23')), '2026-11-24');
  assert.equal(onOrAfter(byma, day('2026-11-24')), '2026-11-24');
});
