import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '../../../test/support/market/bond-samples.ts';
import { days360, yearFraction } from './day-count.ts';

test('30/360 counts 30 days for each month, and a day of 31 as 30 only after a start on 30 or 31', () => {
  assert.equal(days360(day('2020-09-04'), day('2021-07-09')), 305);
  assert.equal(days360(day('2026-01-31'), day('2026-03-31')), 60);
  assert.equal(days360(day('2026-01-30'), day('2026-01-31')), 0);
  assert.equal(days360(day('2026-01-15'), day('2026-01-31')), 16);
});

test('30/360 has no exception for the end of February', () => {
  assert.equal(days360(day('2026-02-28'), day('2026-03-31')), 33);
  assert.equal(days360(day('2028-02-29'), day('2028-08-31')), 182);
});

test('each day count divides its own days by its own year', () => {
  const leapYear = [day('2024-01-09'), day('2025-01-09')] as const;
  assert.equal(yearFraction(...leapYear, '30/360'), 1);
  assert.equal(yearFraction(...leapYear, 'act/365'), 366 / 365);
  assert.equal(yearFraction(...leapYear, 'act/360'), 366 / 360);
});
