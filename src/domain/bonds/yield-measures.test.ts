import { test } from 'node:test';
import { assertNear } from '../../../test/support/market/near.ts';
import { effectiveYield, measuresAt, monthlyRate, nominalRate } from './yield-measures.ts';

test('duration and convexity weigh the time of each payment by its present value', () => {
  // At 10 %, 11 after one year and 121 × 0.9 after two are worth 10 and 90.
  const amounts = [
    { amount: 11, years: 1 },
    { amount: 108.9, years: 2 },
  ];
  const { duration, modifiedDuration, convexity } = measuresAt(amounts, 0.1, 1);
  assertNear(duration, 1.9, 1e-12);
  assertNear(modifiedDuration, 1.9 / 1.1, 1e-12);
  // (10 × 1 × 2 + 90 × 2 × 3) ÷ 100 ÷ 1.1²
  assertNear(convexity, 5.6 / 1.21, 1e-12);
});

test('a yield that compounds twice a year has the effective yield of both halves', () => {
  assertNear(effectiveYield(0.2, 2), 0.21, 1e-15);
  assertNear(nominalRate(0.21, 2), 0.2, 1e-15);
});

test('a month has 30 of 365 days, or a twelfth of a year as the Treasury counts', () => {
  assertNear(monthlyRate(1.023 ** (365 / 30) - 1), 0.023, 1e-15);
  assertNear(monthlyRate(1.023 ** 12 - 1, 1 / 12), 0.023, 1e-15);
});
