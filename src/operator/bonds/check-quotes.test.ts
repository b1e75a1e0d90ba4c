import assert from 'node:assert/strict';
import { test } from 'node:test';

import { al30, cerZero, day, lecap } from '../../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { quoteOn } from '../../../test/support/market/quote-on.ts';
import { Bonds } from '../../domain/bonds/bonds.ts';
import { toEpochDay } from '../../domain/calendar/plain-date.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { quotesOfStored } from '../../domain/quotes/stored-quote.ts';
import { checkBondClasses } from './check-bond-classes.ts';
import { checkBondPrices } from './check-bond-prices.ts';
import { valueQuotes } from './value-quotes.ts';

const universe = makeUniverse(
  [
    { ticker: 'AL30', kind: 'bond' },
    { ticker: 'AL30D', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'mep'] },
    { ticker: 'AL30C', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'cable'] },
    { ticker: 'GD30', kind: 'bond' },
    { ticker: 'ONE', kind: 'bond', pricePer: 1 },
    { ticker: 'S30N6', kind: 'bill' },
    { ticker: 'TZXD7', kind: 'bond' },
    { ticker: 'GGAL' },
  ],
  [
    al30,
    { ...al30, ticker: 'GD30' as Ticker, series: [] },
    { ...al30, ticker: 'ONE' as Ticker, series: [] },
    lecap,
    cerZero,
  ],
);
const bonds = new Bonds(universe);

/** The value of CER for a settlement on 2026-11-24, after a holiday. */
const cer = { index: 'CER', day: toEpochDay(day('2026-11-09')), value: 800, source: 'x' } as const;
const series = new IndexSeries(1, [cer]);

/** The bonds at prices of one session, or of the session that a price names. */
function valued(prices: Readonly<Record<string, number | readonly [number, string]>>) {
  const stored = Object.entries(prices).map(([ticker, price], version) => {
    const [last, date] = typeof price === 'number' ? [price, '2026-11-20'] : price;
    return quoteOn(ticker, last, { date, version });
  });
  return valueQuotes(quotesOfStored(universe, stored), { universe, bonds, series });
}

const sound = { AL30: 93_000, AL30D: 60, AL30C: 58, S30N6: 128, TZXD7: 290, ONE: 930, GGAL: 7000 };

test('plausible prices of every currency are fine, and what is no bond is not valued', () => {
  const { state, says } = checkBondPrices(valued(sound));
  assert.equal(state, 'fine');
  assert.equal(says, 'The parities of 6 quotes of bonds are plausible.');
  assert.equal(checkBondPrices([]).says, 'No quote of a bond has a parity.');
});

/** The cases of the doubtful prices among these, beside the sound ones. */
function doubtful(prices: Parameters<typeof valued>[0]): readonly string[] | undefined {
  const { state, todo, cases } = checkBondPrices(valued({ ...sound, ...prices }));
  assert.equal(state, 'warning');
  assert.match(todo ?? '', /price_per .*instruments\.csv/);
  return cases;
}

function classesAt(prices: Parameters<typeof valued>[0]) {
  return checkBondClasses(universe, valued({ ...sound, ...prices }));
}

test('a price of one nominal, and one in another currency, is named with the mistake that explains it', () => {
  assert.deepEqual(doubtful({ S30N6: 1.28 }), [
    'S30N6 2026-11-20: 1.28 ARS is a parity of 0.99 %, as if it were the price of one nominal',
  ]);
  assert.deepEqual(doubtful({ GD30: 60 }), [
    'GD30 2026-11-20: 60 ARS at 1550 for a dollar is a parity of 0.0603 %, as if it were in USD',
  ]);
  assert.deepEqual(doubtful({ AL30C: 90_000 }), [
    'AL30C 2026-11-20: 90000 USD is a parity of 140000 %, as if it were in ARS',
  ]);
  assert.deepEqual(doubtful({ TZXD7: 900_000 }), [
    'TZXD7 2026-11-20: 900000 ARS is a parity of 305000 %',
  ]);
});

test('a wrong price of the bond that gives the dollar explains the converted prices, which follow it', () => {
  const { cases } = checkBondPrices(valued({ ...sound, AL30D: 0.6 }));
  assert.deepEqual(cases, [
    'AL30D 2026-11-20: 0.6 USD is a parity of 0.935 %, as if it were the price of one nominal',
    'AL30 2026-11-20: 93000 ARS at 155000 for a dollar is a parity of 0.935 %',
    'ONE 2026-11-20: 930 ARS at 155000 for a dollar is a parity of 0.935 %',
  ]);
});

test('what has no parity, without its index or a dollar of its session, is not judged', () => {
  assert.deepEqual(
    checkBondPrices(valued({ GD30: 60, TZXD7: [1, '2026-11-19'] })).says,
    'No quote of a bond has a parity.',
  );
});

test('classes D and C of a bond that disagree by more than 300 basis points in one session are named', () => {
  const near = classesAt({});
  assert.deepEqual(
    [near.state, near.says],
    ['fine', 'The yields of class D and class C agree for 1 bonds.'],
  );
  const far = classesAt({ AL30C: 56 });
  assert.equal(far.state, 'warning');
  assert.match(far.todo ?? '', /instruments\.csv/);
  const [one = '', ...more] = far.cases ?? [];
  assert.match(
    one,
    /^AL30D yields \d\.\d\d % at 60, AL30C \d\.\d\d % at 56 \(2026-11-20\): \d{3} basis points$/,
  );
  assert.ok(Number(/(\d+) basis/.exec(one)?.[1]) > 300);
  assert.deepEqual(more, []);
  // A price of another day says nothing about this one, and a doubtful price has no yield.
  for (const AL30C of [[56, '2026-11-19'] as const, 0.56]) {
    assert.equal(
      classesAt({ AL30C }).says,
      'No bond has a yield of class D and one of class C in one session.',
    );
  }
});
