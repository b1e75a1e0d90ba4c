import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byma, day } from '../../../test/support/market/bond-samples.ts';
import { businessDaysBefore, onOrAfter, settlementOf } from './business-days.ts';

// 2026-11-20 is a Friday, and Monday, 2026-11-23, is a holiday.

test('a trade settles on the next business day, or on its own day', () => {
  assert.equal(settlementOf(byma, day('2026-11-20'), 'next-day'), '2026-11-24');
  assert.equal(settlementOf(byma, day('2026-11-20'), 'same-day'), '2026-11-20');
});

test('a day without a session trades on the first session after it', () => {
  assert.equal(settlementOf(byma, day('2026-11-21'), 'same-day'), '2026-11-24');
  assert.equal(settlementOf(byma, day('2026-11-21'), 'next-day'), '2026-11-25');
});

test('business days are counted back over weekends and holidays, from any day', () => {
  assert.equal(businessDaysBefore(byma, day('2026-11-25'), 2), '2026-11-20');
  assert.equal(businessDaysBefore(byma, day('2026-11-21'), 1), '2026-11-20');
  assert.equal(businessDaysBefore(byma, day('2026-11-25'), 0), '2026-11-25');
});

test('a payment moves to a business day only if its own day is none', () => {
  assert.equal(onOrAfter(byma, day('2026-11-23')), '2026-11-24');
  assert.equal(onOrAfter(byma, day('2026-11-24')), '2026-11-24');
});
