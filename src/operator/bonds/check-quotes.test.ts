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
import { checkBondClasses } from './check-quotes.ts';
import { checkBondPrices } from './check-quotes.ts';
import { checkDollars } from './check-quotes.ts';
import { valueQuotes } from './check-quotes.ts';

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
    { ticker: 'DOLAR MAYORISTA', kind: 'exchange-rate' },
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

/** The quotes with prices of one session, or of the session that a price names. */
function quotesAt(prices: Readonly<Record<string, number | readonly [number, string]>>) {
  const stored = Object.entries(prices).map(([ticker, price], version) => {
    const [last, date] = typeof price === 'number' ? [price, '2026-11-20'] : price;
    return quoteOn(ticker, last, { date, version });
  });
  return quotesOfStored(universe, stored);
}

/** The bonds at these prices. */
function valued(prices: Parameters<typeof quotesAt>[0]) {
  return valueQuotes(quotesAt(prices), { universe, bonds, series });
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

test('a wrong price of the bond that gives the dollar converts no price, and makes no other one doubtful', () => {
  const prices = { ...sound, AL30D: 0.6 };
  assert.deepEqual(checkBondPrices(valued(prices)).cases, [
    'AL30D 2026-11-20: 0.6 USD is a parity of 0.935 %, as if it were the price of one nominal',
  ]);
  assert.deepEqual(
    valued(prices).flatMap(({ quote, figures }) =>
      figures.state === 'no-exchange-rate' ? quote.instrument.ticker : [],
    ),
    ['AL30', 'ONE'],
  );
});

function checked(prices: Parameters<typeof quotesAt>[0]) {
  return checkDollars(quotesAt(prices), { universe, bonds });
}

test('a dollar that its own prices or other dollars contradict is named, with the prices that imply it', () => {
  assert.equal(
    checked(sound).says,
    '3 dollars that the classes of securities imply can be believed.',
  );
  assert.match(checked({}).says, /^No security has/);
  assert.deepEqual(checked({ ...sound, AL30D: 0.6 }).cases, [
    'AL30 ÷ AL30D 2026-11-20: 155000 ARS for a dollar',
    'AL30D ÷ AL30C 2026-11-20: -98.9655 % of canje',
  ]);
  assert.deepEqual(checked({ ...sound, AL30: 930, 'DOLAR MAYORISTA': 1480 }).cases, [
    'AL30 ÷ AL30D 2026-11-20: 15.5 ARS for a dollar',
    'AL30 ÷ AL30C 2026-11-20: 16.0345 ARS for a dollar',
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
