import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  al30,
  byma,
  day,
  makeTerms,
  sampleBond,
} from '../../../test/support/market/bond-samples.ts';
import { addDays, type PlainDate } from '../calendar/plain-date.ts';
import type { BondTerms } from '../instruments/bond-terms.ts';
import type { Ticker } from '../instruments/ticker.ts';
import { accruedOn } from './accrual.ts';
import type { Bond } from './bond.ts';
import { businessDaysBefore, settlementOf } from '../calendar/business-days.ts';
import { conventions, type Convention } from './conventions.ts';
import { couponDatesOf } from './coupon-dates.ts';
import { timedAmounts } from './discounting.ts';
import { priceAt, solveYield, type TimedAmount } from './solve-yield.ts';
import { valueBond } from './value-bond.ts';
import { measuresAt } from './yield-measures.ts';

/** 300 cases of each property in `npm test`. `npm run test:fuzz` tries 10,000. */
const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 300);

const days = (from: string, to: string): fc.Arbitrary<PlainDate> =>
  fc
    .date({ min: new Date(from), max: new Date(to), noInvalidDate: true })
    .map((date) => day(date.toISOString().slice(0, 10)));

const convention = fc.constantFrom<Convention>(...Object.values(conventions));

/** A bond with regular coupons: any frequency, day count and amortisation, and rates that may step up. */
const couponBond: fc.Arbitrary<Bond> = fc
  .record({
    issued: days('2005-01-01', '2026-01-01'),
    months: fc.constantFrom(1, 3, 6, 12),
    coupons: fc.integer({ min: 1, max: 60 }),
    rates: fc.array(fc.double({ min: 0.01, max: 40, noNaN: true }), { minLength: 1, maxLength: 4 }),
    dayCount: fc.constantFrom('30/360' as const, 'act/365' as const, 'act/360' as const),
    repaidIn: fc.integer({ min: 1, max: 60 }),
    factor: fc.constantFrom(1, 1.2699367),
  })
  .map(({ issued, months, coupons, rates, dayCount, repaidIn, factor }) => {
    const first = addDays(issued, Math.round(months * 30.4));
    const maturity = addDays(first, Math.round((coupons - 1) * months * 30.4));
    const couponDates = { type: 'regular', months, first } as const;
    const dates = couponDatesOf({ couponDates, maturity });
    const repaid = dates.slice(-repaidIn);
    return sampleBond(
      makeTerms({
        issued,
        maturity,
        couponDates,
        dayCount,
        factor,
        interest: {
          type: 'fixed',
          steps: rates.map((percent, index) => ({ from: addDays(issued, index * 700), percent })),
        },
        amortisation: [{ from: repaid[0] ?? maturity, to: maturity, percent: 100 / repaid.length }],
      }),
    );
  });

/** A bond with one payment: a zero coupon bond, or one that capitalises every month. */
const zeroBond: fc.Arbitrary<Bond> = fc
  .record({
    issued: days('2015-01-01', '2026-01-01'),
    life: fc.integer({ min: 2, max: 4_000 }),
    monthlyPercent: fc.option(fc.double({ min: 0.1, max: 6, noNaN: true }), { nil: undefined }),
  })
  .map(({ issued, life, monthlyPercent }) =>
    sampleBond(
      makeTerms({
        issued,
        maturity: addDays(issued, life),
        interest:
          monthlyPercent === undefined ? { type: 'none' } : { type: 'capitalised', monthlyPercent },
      }),
    ),
  );

/** A bond with a day of its life, before its maturity. */
const situation = fc
  .record({
    bond: fc.oneof(couponBond, zeroBond),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ bond, part }) => ({ bond, settlement: dayOfLife(bond, part) }));

function dayOfLife({ terms }: Bond, part: number): PlainDate {
  const life = (Date.parse(terms.maturity) - Date.parse(terms.issued)) / 86_400_000;
  return addDays(terms.issued, Math.min(Math.floor(part * life), life - 1));
}

function amountsOf(
  { flows }: Bond,
  settlement: PlainDate,
  by: Convention,
  ratio = 1,
): readonly TimedAmount[] {
  const ahead = flows.filter(({ date }) => date > settlement);
  const amounts = timedAmounts(ahead, { settlement, convention: by, ratio }) ?? [];
  assert.ok(amounts.length > 0);
  return amounts;
}

/** Whether any payment is discounted at all: with months of 30 days, the 30th and the 31st are one day. */
const isDiscounted = (amounts: readonly TimedAmount[]) =>
  amounts.some(({ amount, years }) => amount > 0 && years > 0);

const relative = (one: number, other: number) => Math.abs(one - other) / Math.abs(other);

/** Yields from −95 % to 1,000 %, dense around the usual ones. */
const anyYield = fc
  .double({ min: Math.log1p(-0.95), max: Math.log1p(10), noNaN: true })
  .map(Math.expm1);

const usualYield = fc.double({ min: -0.3, max: 1.5, noNaN: true });

test('property 1: price → yield → price differs by less than 1e-9, for yields from −95 % to 1,000 %', () => {
  fc.assert(
    fc.property(situation, convention, anyYield, ({ bond, settlement }, by, wanted) => {
      const amounts = amountsOf(bond, settlement, by);
      fc.pre(isDiscounted(amounts));
      const price = priceAt(amounts, wanted, by.compounding);
      fc.pre(price > 0 && Number.isFinite(price));
      const found = solveYield(amounts, price, by.compounding) ?? assert.fail('no yield');
      assert.ok(relative(priceAt(amounts, found, by.compounding), price) < 1e-9);
    }),
    { numRuns },
  );
});

test('property 2: a higher price has a lower yield', () => {
  fc.assert(
    fc.property(
      situation,
      convention,
      usualYield,
      fc.double({ min: 1e-6, max: 0.5, noNaN: true }),
      ({ bond, settlement }, by, wanted, rise) => {
        const amounts = amountsOf(bond, settlement, by);
        fc.pre(isDiscounted(amounts));
        const price = priceAt(amounts, wanted, by.compounding);
        const lower = solveYield(amounts, price, by.compounding) ?? assert.fail('no yield');
        const higher = solveYield(amounts, price * (1 + rise), by.compounding);
        if (higher !== null) assert.ok(higher < lower, `${higher} at the higher price, ${lower}`);
      },
    ),
    { numRuns },
  );
});

test('property 3: on a coupon date, a bond at its technical value yields its rate', () => {
  const parCase = fc.record({
    months: fc.constantFrom(3, 6, 12),
    coupons: fc.integer({ min: 2, max: 60 }),
    percent: fc.double({ min: 0.1, max: 60, noNaN: true }),
    at: fc.nat(),
    repaidIn: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(parCase, ({ months, coupons, percent, at, repaidIn }) => {
      const issued = day('2020-01-15');
      const end = 2020 * 12 + months * coupons;
      const month = String((end % 12) + 1).padStart(2, '0');
      const maturity = day(`${Math.floor(end / 12)}-${month}-15`);
      const first = day(
        `${months === 12 ? 2021 : 2020}-${months === 12 ? '01' : `0${months + 1}`}-15`,
      );
      const couponDates = { type: 'regular', months, first } as const;
      const dates = couponDatesOf({ couponDates, maturity });
      const repaid = dates.slice(-repaidIn);
      const from = repaid[0] ?? maturity;
      const bond = sampleBond(
        makeTerms({
          issued,
          maturity,
          couponDates,
          interest: { type: 'fixed', steps: [{ from: issued, percent }] },
          amortisation: [{ from, to: maturity, percent: 100 / repaid.length }],
        }),
      );
      const settlement = [issued, ...dates][at % dates.length] ?? issued;
      const by: Convention = { ...conventions.screenermatic, compounding: 12 / months };
      const residual = bond.flows.find(({ date }) => date > settlement)?.residualBefore ?? 0;
      const found = valueBond(bond, {
        settlement,
        convention: by,
        price: { amount: residual, currency: 'USD', form: 'quoted' },
        index: () => undefined,
      });
      assert.ok(relative(found.yield ?? Number.NaN, percent) < 1e-9, `${found.yield}`);
      assert.ok(relative(found.parity ?? Number.NaN, 100) < 1e-12);
    }),
    { numRuns },
  );
});

test('property 4: the amortisation sums to 100, and the residual ends at exactly 0', () => {
  fc.assert(
    fc.property(couponBond, ({ flows, terms }) => {
      const sum = flows.reduce((total, { amortisation }) => total + amortisation, 0);
      assert.ok(Math.abs(sum / terms.factor - 100) < 1e-9, String(sum));
      assert.equal(flows.at(-1)?.residual, 0);
      for (const flow of flows) assert.ok(flow.residual <= flow.residualBefore);
    }),
    { numRuns },
  );
});

test('property 5: accrued interest is 0 on a coupon date, rises, and meets the coupon on its eve', () => {
  fc.assert(
    fc.property(couponBond, fc.nat(), convention, (bond, at, by) => {
      const flow = bond.flows[at % bond.flows.length] ?? assert.fail('no flow');
      const accrued = (on: PlainDate) => accruedOn(bond, on, by) ?? Number.NaN;
      assert.equal(accrued(flow.from), 0);
      let before = 0;
      for (let on = addDays(flow.from, 1); on < flow.date; on = addDays(on, 1)) {
        const now = accrued(on);
        assert.ok(now >= before, `${on}: ${now} after ${before}`);
        before = now;
      }
      // The coupon may count its days otherwise than the convention: by at most five in a year, and one for the eve.
      const aDay = (flow.residualBefore * (flow.rate ?? 0) * bond.terms.factor) / 36_000;
      const months = (Date.parse(flow.date) - Date.parse(flow.from)) / 86_400_000 / 30;
      const difference = Math.abs((flow.interest ?? 0) - before);
      assert.ok(difference <= aDay * (4 + months / 2), `${difference} of ${flow.interest}`);
    }),
    { numRuns },
  );
});

test('property 6: modified duration and convexity are the derivatives of the price', () => {
  fc.assert(
    fc.property(situation, convention, usualYield, ({ bond, settlement }, by, wanted) => {
      const amounts = amountsOf(bond, settlement, by);
      fc.pre(isDiscounted(amounts));
      const at = (y: number) => priceAt(amounts, y, by.compounding);
      const price = at(wanted);
      const { modifiedDuration, convexity } = measuresAt(amounts, wanted, by.compounding);
      const slope = (at(wanted + 1e-6) - at(wanted - 1e-6)) / 2e-6 / price;
      assert.ok(Math.abs(-slope - modifiedDuration) <= 1e-5 * modifiedDuration + 1e-8);
      const h = 1e-4 * (1 + wanted);
      const curve = (at(wanted + h) - 2 * price + at(wanted - h)) / h ** 2 / price;
      assert.ok(Math.abs(curve - convexity) <= 1e-3 * convexity + 1e-5, `${curve} ${convexity}`);
    }),
    { numRuns },
  );
});

test('property 7: a price and a coefficient that grow alike leave yield and duration as they were', () => {
  const scale = fc.double({ min: 0.01, max: 5_000, noNaN: true });
  fc.assert(
    fc.property(
      situation,
      convention,
      scale,
      scale,
      ({ bond, settlement }, by, coefficient, growth) => {
        const amounts = amountsOf(bond, settlement, by, coefficient);
        fc.pre(isDiscounted(amounts));
        const valued = (times: number) =>
          valueBond(bond, {
            settlement,
            convention: by,
            price: {
              amount: priceAt(amounts, 0.07, by.compounding) * times,
              currency: 'USD',
              form: 'quoted',
            },
            index: { coefficient: coefficient * times },
          });
        const [one, other] = [valued(1), valued(growth)];
        assert.equal(other.state, one.state);
        for (const name of ['yield', 'duration', 'modifiedDuration', 'parity'] as const) {
          const [before, after] = [one[name] ?? 0, other[name] ?? 0];
          assert.ok(Math.abs(before - after) <= 1e-9 * Math.max(1, Math.abs(before)), name);
        }
      },
    ),
    { numRuns },
  );
});

test('property 8: the duration of a single payment is its time', () => {
  fc.assert(
    fc.property(
      zeroBond,
      fc.double({ min: 0, max: 1, noNaN: true }),
      convention,
      usualYield,
      (bond, part, by, wanted) => {
        const amounts = amountsOf(bond, dayOfLife(bond, part), by);
        fc.pre(isDiscounted(amounts));
        const { duration, modifiedDuration } = measuresAt(amounts, wanted, by.compounding);
        const years = amounts[0]?.years ?? 0;
        assert.ok(relative(duration, years) < 1e-12);
        assert.ok(relative(modifiedDuration, years / (1 + wanted / by.compounding)) < 1e-12);
      },
    ),
    { numRuns },
  );
});

test('property 9: the same terms under another law have the same figures at the same price', () => {
  const local = sampleBond(al30);
  const foreign = sampleBond({ ...al30, ticker: 'GD30' as Ticker, series: [], law: 'NY' });
  const price = fc.double({ min: 5, max: 120, noNaN: true });
  fc.assert(
    fc.property(days('2020-09-04', '2031-01-01'), price, convention, (settlement, amount, by) => {
      const [one, other] = [local, foreign].map((bond) =>
        valueBond(bond, {
          settlement,
          convention: by,
          price: { amount, currency: 'USD', form: 'quoted' },
          index: () => undefined,
        }),
      );
      assert.deepEqual(one, other);
    }),
    { numRuns },
  );
});

test('property 10: settlements and lags are settlement days, and a later one has no earlier lag', () => {
  fc.assert(
    fc.property(
      days('2025-01-01', '2027-12-31'),
      fc.nat({ max: 15 }),
      fc.nat({ max: 9 }),
      (date, lag, later) => {
        const settlement = settlementOf(byma, date, 'next-day');
        assert.ok(byma.isSettlement(settlement) && settlement > date);
        assert.ok(byma.isSettlement(settlementOf(byma, date, 'same-day')));
        const [first, second] = [date, addDays(date, later)].map((on) =>
          businessDaysBefore(byma, on, lag),
        );
        assert.ok(first !== undefined && second !== undefined && byma.isSettlement(first));
        assert.ok(first <= second);
        if (lag > 0) assert.ok(first < date);
      },
    ),
    { numRuns },
  );
});

test('property 11: a value of the index after its day changes nothing', () => {
  const indexed: BondTerms = makeTerms({ indexation: { index: 'CER', lagDays: 10, base: 100 } });
  const bond = sampleBond(indexed);
  fc.assert(
    fc.property(
      days('2024-07-01', '2028-06-29'),
      fc.integer({ min: 1, max: 400 }),
      fc.double({ min: 1, max: 900, noNaN: true }),
      (settlement, ahead, other) => {
        const valued = (changed: PlainDate | undefined) =>
          valueBond(bond, {
            settlement,
            convention: conventions.pizarra,
            price: { amount: 150, currency: 'USD', form: 'quoted' },
            index: (_, on) => (changed !== undefined && on >= changed ? other : 200),
          });
        const before = valued(undefined);
        const used = before.index?.day ?? assert.fail('no index');
        assert.deepEqual(valued(addDays(used, ahead)), before);
        fc.pre(other !== 200);
        assert.notDeepEqual(valued(used), before);
      },
    ),
    { numRuns },
  );
});
