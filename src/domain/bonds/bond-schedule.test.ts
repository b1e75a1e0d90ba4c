import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  al30,
  day,
  lecap,
  makeTerms,
  sampleBond,
} from '../../../test/support/market/bond-samples.ts';
import { assertNear } from '../../../test/support/market/near.ts';

const flowOn = (date: string, terms = al30) => {
  const flow = sampleBond(terms).flows.find((one) => one.date === date);
  return flow ?? assert.fail(`no flow on ${date}`);
};

test('the first period starts at the issue', () => {
  // 0.125 % for 305 of 360 days.
  assertNear(flowOn('2021-07-09').total, 0.10590278, 1e-8);
});

test('a rate applies to the periods that start on its date or later, and interest to the residual before', () => {
  // 0.75 % for half a year on 96, and 8 of principal.
  assertNear(flowOn('2025-01-09').total, 8.36, 1e-12);
  // The period that ends on 2027-07-09 has the earlier rate, the next one 1.75 %.
  assertNear(flowOn('2027-07-09').interest, 56 * 0.00375, 1e-12);
  assertNear(flowOn('2028-01-09').interest, 48 * 0.00875, 1e-12);
});

test('the residual falls by each amortisation and ends at exactly 0', () => {
  assert.equal(flowOn('2024-07-09').residual, 96);
  assert.equal(flowOn('2030-07-09').residual, 0);
  const thirds = makeTerms({
    couponDates: { type: 'regular', months: 6, first: day('2027-06-30') },
    interest: { type: 'fixed', steps: [{ from: day('2024-06-30'), percent: 5 }] },
    amortisation: [{ from: day('2027-06-30'), to: day('2028-06-30'), percent: 100 / 3 }],
  });
  assert.equal(sampleBond(thirds).flows.at(-1)?.residual, 0);
});

test('a bill that capitalises pays once: 100 × (1 + rate) ^ months of 30 days', () => {
  // 2025-12-15 to 2026-11-30 are 345 days of 30/360, 11.5 months.
  const { flows } = sampleBond(lecap);
  assert.equal(flows.length, 1);
  assertNear(flows[0]?.total, 129.88823, 1e-5);
});

test('capitalised interest multiplies interest and amortisation, not the residual', () => {
  const terms = makeTerms({
    issued: day('2026-06-30'),
    maturity: day('2026-12-31'),
    couponDates: { type: 'listed', dates: [day('2026-12-31')] },
    interest: { type: 'fixed', steps: [{ from: day('2026-06-30'), percent: 6 }] },
    factor: 1.25,
  });
  const flow = flowOn('2026-12-31', terms);
  assertNear(flow.interest, 3.75, 1e-12);
  assert.deepEqual([flow.amortisation, flow.residualBefore, flow.residual], [125, 100, 0]);
});

test('a payment on a day without a session is paid on the next one, with the same amount', () => {
  const terms = makeTerms({ maturity: day('2026-11-21') });
  assert.equal(flowOn('2026-11-21', terms).paid, '2026-11-24');
  const strict = { ...terms, paysOnSession: false };
  assert.equal(flowOn('2026-11-21', strict).paid, '2026-11-21');
});

test('interest at a rate that is not known is null: before the first rate, and of a floating coupon', () => {
  const dates = { type: 'regular', months: 12, first: day('2025-06-30') } as const;
  const late = makeTerms({
    couponDates: dates,
    interest: { type: 'fixed', steps: [{ from: day('2025-06-30'), percent: 9 }] },
  });
  assert.deepEqual(
    [flowOn('2025-06-30', late).interest, flowOn('2025-06-30', late).total],
    [null, null],
  );
  assertNear(flowOn('2026-06-30', late).interest, 9, 1e-12);
  const floating = makeTerms({
    couponDates: dates,
    interest: { type: 'floating', index: 'BADLAR', marginPercent: 3 },
  });
  const last = sampleBond(floating).flows.at(-1);
  assert.deepEqual([last?.interest, last?.amortisation, last?.total], [null, 100, null]);
});
