import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PriceForms } from './price-forms.ts';

type Parts = ConstructorParameters<typeof PriceForms>[0];

/** A bond in dollars of which 80 are outstanding and 2 have accrued. */
const base = { valuedIn: 'USD', exchangeRate: undefined, accrued: 2, outstanding: 80 };

const [dirty, clean, residual] = [
  { price: 'dirty' },
  { price: 'clean' },
  { price: 'clean-outstanding' },
] as const;

function quoted(amount: number, currency = 'USD'): Parts['price'] {
  return { amount, currency, form: 'quoted' };
}

function expressed(amount: number): Parts['price'] {
  return { amount, currency: 'USD', form: 'convention' };
}

const inPesos = { price: quoted(90_000, 'ARS'), exchangeRate: 1_500 };
const ofPesos = { price: quoted(0.04), valuedIn: 'ARS', exchangeRate: 1_500 };
const lacking = (shown: number | null) => [null, null, shown, null, true] as const;

for (const [name, parts, expected] of [
  ['a quoted price has its accrued interest', { price: quoted(60) }, [60, 60, 60, null, false]],
  ['a clean one has none', { price: quoted(60), convention: clean }, [60, 58, 58, null, false]],
  [
    'one for 100 outstanding is larger',
    { price: quoted(60), convention: residual },
    [60, 72.5, 72.5, null, false],
  ],
  ['as it came', { price: expressed(60) }, [60, 60, 60, null, false]],
  ['from a clean one', { price: expressed(58), convention: clean }, [60, 58, 58, null, false]],
  [
    'from one for 100 outstanding',
    { price: expressed(72.5), convention: residual },
    [60, 72.5, 72.5, null, false],
  ],
  [
    'without known interest, no clean price',
    { price: quoted(60), convention: clean, accrued: null },
    [60, null, null, null, false],
  ],
  [
    'without known interest, none from a clean price',
    { price: expressed(58), convention: clean, accrued: null },
    [null, 58, 58, null, false],
  ],
  [
    'without known interest, a price with it is complete',
    { price: expressed(60), accrued: null },
    [60, 60, 60, null, false],
  ],
  ['pesos for dollars', inPesos, [60, 60, 90_000, 1_500, false]],
  ['clean pesos for dollars', { ...inPesos, convention: clean }, [60, 58, 87_000, 1_500, false]],
  ['dollars for pesos', ofPesos, [60, 60, 0.04, 1_500, false]],
  [
    'clean dollars for pesos',
    { ...ofPesos, convention: clean },
    [60, 58, 58 / 1_500, 1_500, false],
  ],
  ['a rate below one', { price: quoted(30, 'ARS'), exchangeRate: 0.5 }, [60, 60, 30, 0.5, false]],
  [
    'a rate that is not needed',
    { price: quoted(60), exchangeRate: 1_500 },
    [60, 60, 60, null, false],
  ],
  ['no rate', { ...inPesos, exchangeRate: undefined }, lacking(90_000)],
  ['no rate, clean', { ...inPesos, exchangeRate: undefined, convention: clean }, lacking(null)],
  ['a rate of zero', { ...inPesos, exchangeRate: 0 }, lacking(90_000)],
  ['pesos for euros', { ...inPesos, valuedIn: 'EUR' }, lacking(90_000)],
  ['dollars for euros', { ...ofPesos, valuedIn: 'EUR' }, lacking(0.04)],
  ['euros for dollars', { ...inPesos, price: quoted(60, 'EUR') }, lacking(60)],
  ['euros for pesos', { ...ofPesos, price: quoted(60, 'EUR') }, lacking(60)],
] as const satisfies readonly [string, Partial<Parts>, readonly unknown[]][]) {
  test(`forms of a price: ${name}`, () => {
    const forms = new PriceForms({ ...base, convention: dirty, ...parts });
    assert.deepEqual(
      [forms.dirty, forms.inConvention, forms.shown, forms.appliedRate, forms.lacksRate],
      expected,
    );
  });
}
