import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  al30,
  byma,
  cerZero,
  day,
  lecap,
  sampleBond,
} from '../../../../test/support/market/bond-samples.ts';
import { assertNear } from '../../../../test/support/market/near.ts';
import { valuedIn } from '../../../domain/bonds/bond.ts';
import { settlementOf } from '../../../domain/calendar/business-days.ts';
import { conventions } from '../../../domain/bonds/conventions.ts';
import { valueBond } from '../../../domain/bonds/value-bond.ts';
import { toEpochDay } from '../../../domain/calendar/plain-date.ts';
import type { BondTerms } from '../../../domain/instruments/bond-terms.ts';
import { BondWorth } from './bond-worth.ts';

const index = () => 700;

function worthOf(terms: BondTerms, usualYield: (years: number) => number): BondWorth {
  return new BondWorth(sampleBond(terms), usualYield, index);
}

test('the worth of a bond on a day has the usual yield for its settlement, and its fall for a change of the yield', () => {
  for (const [terms, rate] of [
    [al30, 0.08],
    [cerZero, 0.06],
    [lecap, 0.3],
  ] as const) {
    const worth = worthOf(terms, () => rate);
    for (const traded of ['2026-07-08', '2026-11-20', '2026-11-25'].map(day)) {
      const { log, sensitivity } = worth.on(toEpochDay(traded));
      const bond = sampleBond(terms);
      const valuation = valueBond(bond, {
        settlement: settlementOf(byma, traded, 'next-day'),
        convention: conventions.pizarra,
        price: { amount: Math.exp(log), currency: valuedIn(terms), form: 'quoted' },
        index,
      });
      assertNear(valuation.yield, rate * 100, 1e-9);
      assertNear((valuation.modifiedDuration ?? 0) * rate, sensitivity, 1e-9);
    }
  }
});

test('the usual yield depends on the years that are left', () => {
  const years: number[] = [];
  worthOf(al30, (left) => {
    years.push(left);
    return 0.08;
  }).on(toEpochDay(day('2026-07-06')));
  assert.deepEqual(years, [(toEpochDay(al30.maturity) - toEpochDay(day('2026-07-07'))) / 365]);
});

test('a bond falls by a payment on the day whose settlement is that of the coupon, and keeps its last price', () => {
  const worth = worthOf(al30, () => 0.08);
  const price = (text: string) => Math.exp(worth.on(toEpochDay(day(text))).log);
  // The trades of the 8th of July settle on the 9th, on which 8 of the nominal are paid with their interest.
  const fall = price('2026-07-07') - price('2026-07-08');
  assert.ok(fall > 7.9 && fall < 8.3, `falls by ${fall}`);
  // The 9th of July 2030 is the maturity.
  assert.equal(price('2030-07-09'), price('2031-01-01'));
  assert.ok(price('2031-01-01') > 8);
});

test('within a session the price moves evenly from close to close', () => {
  const worth = worthOf(lecap, () => 0.3);
  const [previousDay, today] = [toEpochDay(day('2026-11-19')), toEpochDay(day('2026-11-20'))];
  const at = (progress: number) => worth.logAt({ day: today, previousDay, progress });
  const [before, close] = [worth.on(previousDay).log, worth.on(today).log];
  assert.equal(at(1), close);
  assert.ok(before < at(0) && at(0) < at(0.5) && at(0.5) < close);
  assertNear(at(0.5) - at(0), close - at(0.5), 1e-12);
});
