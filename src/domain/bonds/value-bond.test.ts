import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  al30,
  cerZero,
  day,
  lecap,
  makeTerms,
  sampleBond,
} from '../../../test/support/market/bond-samples.ts';
import { assertNear } from '../../../test/support/market/near.ts';
import type { BondTerms } from '../instruments/bond-terms.ts';
import { conventions, type ConventionName } from './conventions.ts';
import { valueBond, type BondPrice, type ValuationInputs } from './value-bond.ts';

interface Case extends Partial<Omit<ValuationInputs, 'settlement' | 'convention' | 'price'>> {
  readonly on: string;
  readonly price: number;
  readonly convention?: ConventionName;
  readonly currency?: string;
  readonly form?: BondPrice['form'];
}

function value(terms: BondTerms, inputs: Case) {
  const { on, price, currency = terms.currency, form = 'quoted' } = inputs;
  return valueBond(sampleBond(terms), {
    settlement: day(on),
    convention: conventions[inputs.convention ?? 'pizarra'],
    price: { amount: price, currency, form },
    exchangeRate: inputs.exchangeRate,
    index: inputs.index ?? (() => undefined),
  });
}

const figures = [
  'yield',
  'nominalRate',
  'monthlyRate',
  'duration',
  'modifiedDuration',
  'convexity',
] as const;

/** The figures that a valuation lacks. */
const missing = (valuation: ReturnType<typeof value>) =>
  [...figures, 'technicalValue', 'accrued', 'residual', 'parity', 'price'].filter(
    (name) => valuation[name as (typeof figures)[number]] === null,
  );

test('a zero coupon bond at 100 ÷ 1.1² two years before its payment yields 10 %', () => {
  // 2028-06-30 is a Friday, and two years of 365 days end on it.
  const found = value(makeTerms(), { on: '2026-07-01', price: 100 / 1.21 });
  assertNear(found.yield, 10, 1e-9);
  assertNear(found.monthlyRate, (1.1 ** (30 / 365) - 1) * 100, 1e-9);
  // 21 % in 730 days, simple.
  assertNear(found.nominalRate, 10.5, 1e-9);
  assertNear(found.duration, 2, 1e-12);
  assertNear(found.modifiedDuration, 2 / 1.1, 1e-9);
  assertNear(found.convexity, 6 / 1.21, 1e-9);
  assert.deepEqual(
    [found.technicalValue, found.accrued, found.residual, found.maturity, found.state],
    [100, 0, 100, '2028-06-30', 'ok'],
  );
  assertNear(found.parity, 100 / 1.21, 1e-12);
});

test('the published figures of AL30 come from a clean price, and parity compares it with the residual', () => {
  const found = value(al30, {
    on: '2026-03-03',
    price: 60.84,
    convention: 'bonarg',
    form: 'convention',
  });
  assertNear(found.yield, 8.86, 0.005);
  assertNear(found.modifiedDuration, 2.11, 0.005);
  assertNear(found.parity, 84.5, 1e-9);
  assert.equal(found.price, 60.84);
  assertNear(found.nominalRate, found.yield ?? Number.NaN, 1e-9);
});

test('a quoted price and the same price in the form of the convention have the same figures', () => {
  for (const convention of ['bonarg', 'bloomberg', 'pizarra'] as const) {
    const quoted = value(al30, { on: '2026-03-03', price: 60.921, convention });
    const shown = quoted.price ?? assert.fail('no price');
    const again = value(al30, { on: '2026-03-03', price: shown, convention, form: 'convention' });
    assertNear(again.yield, quoted.yield ?? Number.NaN, 1e-11);
  }
  // Without its accrued interest of 0.081, and for 100 of the 72 that are outstanding.
  const [clean, outstanding] = (['bonarg', 'bloomberg'] as const).map(
    (convention) => value(al30, { on: '2026-03-03', price: 60.921, convention }).price,
  );
  assertNear(clean, 60.84, 1e-9);
  assertNear(outstanding, 84.5, 1e-9);
  const { parity } = value(al30, { on: '2026-03-03', price: 60.921, convention: 'bloomberg' });
  assertNear(parity, (60.921 / 72.081) * 100, 1e-9);
});

test('pizarra discounts a payment from the day on which it is paid, the others from its contractual date', () => {
  const terms = makeTerms({ issued: day('2025-01-01'), maturity: day('2026-11-21') });
  const years = (convention: ConventionName) =>
    value(terms, { on: '2026-11-20', price: 99.9, convention }).duration;
  assertNear(years('pizarra'), 4 / 365, 1e-15);
  assertNear(years('ecovalores'), 1 / 365, 1e-15);
  assertNear(years('screenermatic'), 1 / 360, 1e-15);
});

test('a price in pesos of flows in dollars is converted at the given rate, which the result has', () => {
  const inPesos = value(al30, {
    on: '2026-03-04',
    price: 90_000,
    currency: 'ARS',
    exchangeRate: 1_500,
  });
  const inDollars = value(al30, { on: '2026-03-04', price: 60 });
  assertNear(inPesos.yield, inDollars.yield ?? Number.NaN, 1e-12);
  assert.deepEqual([inPesos.price, inPesos.currency, inPesos.exchangeRate], [90_000, 'ARS', 1_500]);
  assert.equal(inDollars.exchangeRate, null);
  // Several payments are left, two a year.
  const twiceAYear = (Math.sqrt(1 + (inDollars.yield ?? Number.NaN) / 100) - 1) * 200;
  assertNear(inDollars.nominalRate, twiceAYear, 1e-9);
});

test('without the rate, what needs no price remains', () => {
  const found = value(al30, { on: '2026-03-04', price: 90_000, currency: 'ARS' });
  assert.equal(found.state, 'no-exchange-rate');
  assert.deepEqual(missing(found), [...figures, 'parity']);
  assert.deepEqual([found.residual, found.price, found.exchangeRate], [72, 90_000, null]);
});

test('an index multiplies the flows by its growth since the issue, as of the lag before the settlement', () => {
  // Ten business days before 2026-11-25, over the holiday of the 23rd.
  const found = value(cerZero, {
    on: '2026-11-25',
    price: 290,
    index: (name, on) => (name === 'CER' && on === '2026-11-10' ? 271.0476 * 3 : undefined),
  });
  assert.deepEqual(found.index, { index: 'CER', day: '2026-11-10', value: 271.0476 * 3 });
  assertNear(found.technicalValue, 300, 1e-9);
  const real = value(cerZero, { on: '2026-11-25', price: 290, index: { coefficient: 3 } });
  assert.equal(real.index, null);
  assertNear(found.yield, real.yield ?? Number.NaN, 1e-12);
});

test('without the value of the index, its day is named and what needs no index remains', () => {
  const found = value(cerZero, { on: '2026-11-25', price: 290 });
  assert.equal(found.state, 'no-index');
  assert.deepEqual(missing(found), [...figures, 'technicalValue', 'accrued', 'parity']);
  assert.deepEqual(found.index, { index: 'CER', day: '2026-11-10', value: null });
  assert.equal(found.residual, 100);
});

test('flows in dollars with an exchange rate as index are valued in pesos, and yield in dollars', () => {
  const terms = makeTerms({ indexation: { index: 'A3500', lagDays: 3, base: 1 } });
  const found = value(terms, {
    on: '2026-07-01',
    price: 150_000 / 1.21,
    currency: 'ARS',
    index: (_, on) => (on === '2026-06-26' ? 1_500 : undefined),
  });
  assertNear(found.yield, 10, 1e-9);
  assert.deepEqual([found.exchangeRate, found.technicalValue], [null, 150_000]);
});

test('before its issue and from its maturity on, a bond has no figures, and only a price that needs none of them', () => {
  const none = [...figures, 'technicalValue', 'accrued', 'residual', 'parity'];
  for (const [on, state] of [
    ['2019-01-01', 'not-issued'],
    ['2025-12-14', 'not-issued'],
    ['2026-11-30', 'matured'],
    ['2027-06-01', 'matured'],
  ] as const) {
    const found = value(lecap, { on, price: 128 });
    assert.deepEqual([found.state, missing(found)], [state, none]);
    assert.deepEqual([found.maturity, found.price], ['2026-11-30', 128]);
    const convention = 'bonarg';
    assert.equal(value(lecap, { on, price: 128, convention }).price, null, 'not known clean');
    const given = value(lecap, { on, price: 128, convention, form: 'convention' });
    assert.equal(given.price, 128);
  }
  assert.equal(value(lecap, { on: '2025-12-15', price: 100 }).state, 'ok');
  assert.equal(value(lecap, { on: '2026-11-29', price: 129.8 }).state, 'ok');
});

test('a bond that paid interest in kind owes more than its nominal', () => {
  const terms = makeTerms({ factor: 1.25 });
  const found = value(terms, { on: '2026-07-01', price: 100, convention: 'bloomberg' });
  assert.deepEqual([found.technicalValue, found.residual, found.parity], [125, 100, 80]);
  assert.equal(found.price, 80, 'for 100 outstanding');
});

test('the published figures of bills by screenermatic are linear in the days that have passed', () => {
  const published = [
    ['2024-08-30', '2025-08-29', 3.88, '2025-05-09', 144, [40.02, 140.02, 102.84, 34.64]],
    ['2024-09-13', '2025-05-16', 3.95, '2025-05-10', 136.4, [35.95, 135.95, 100.33]],
  ] as const;
  for (const [issued, maturity, monthlyPercent, on, price, expected] of published) {
    const terms = makeTerms({
      issued: day(issued),
      maturity: day(maturity),
      currency: 'ARS',
      interest: { type: 'capitalised', monthlyPercent },
    });
    const found = value(terms, { on, price, convention: 'screenermatic' });
    const shown = [found.accrued, found.technicalValue, found.parity, found.yield];
    // Six days before its payment, the cent of the price of the second one is a third of a point of yield.
    expected.forEach((figure, at) => assertNear(shown[at], figure, 0.005));
  }
});

test('a price that no yield gives has no yield, and says so', () => {
  for (const price of [0, -5]) {
    const found = value(al30, { on: '2026-03-04', price });
    assert.deepEqual([found.state, found.yield, found.residual], ['no-yield', null, 72]);
  }
  // A day before the payment, a price of 20 needs more than 10,000 % a year.
  assert.equal(value(lecap, { on: '2026-11-27', price: 20 }).state, 'no-yield');
});

test('a price outside 5 to 200 % of the technical value is doubtful, and has no yield', () => {
  for (const price of [0.6, 1.44, 3.6, 144, 145, 90_000]) {
    const found = value(al30, { on: '2026-01-09', price });
    const isDoubtful = price < 3.6 || price > 144;
    assert.equal(found.state, isDoubtful ? 'doubtful-price' : 'ok', String(price));
    assert.equal(found.yield === null, isDoubtful);
    assertNear(found.parity, (price / 72) * 100, 1e-9);
  }
});

const assumed = (terms: Partial<BondTerms>) =>
  value(makeTerms(terms), { on: '2026-07-01', price: 80 }).assumptions;

test('what is assumed is named: the fixed leg of a dual bond, no options, doubtful terms', () => {
  assert.deepEqual(assumed({}), []);
  assert.deepEqual(assumed({ isDual: true, option: 'x', isVerified: false }), [
    'fixed-leg',
    'no-options',
    'doubtful-terms',
  ]);
});

test('a bond with an unknown future coupon has no yield, but its residual', () => {
  const terms = makeTerms({ interest: { type: 'floating', index: 'TAMAR', marginPercent: 0 } });
  const found = value(terms, { on: '2026-07-01', price: 80 });
  assert.deepEqual([found.state, found.accrued, found.residual], ['no-yield', null, 100]);
});
