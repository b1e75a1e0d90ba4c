import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Board } from '../../../src/board/board.ts';
import { toEpochDay } from '../../../src/domain/calendar/plain-date.ts';
import { IndexSeries } from '../../../src/domain/indices/index-series.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';
import { al30, day, lecap, makeTerms } from '../../support/market/bond-samples.ts';
import { closeOn } from '../../support/market/close-on.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';

/** It pays 2 % a year on July 9 and January 9, in pesos that CER adjusts. */
const withCer = makeTerms({
  ticker: 'TX28' as Ticker,
  series: ['TX28D' as Ticker],
  issued: day('2024-01-09'),
  maturity: day('2028-01-09'),
  currency: 'ARS',
  couponDates: { type: 'regular', months: 6, first: day('2024-07-09') },
  interest: { type: 'fixed', steps: [{ from: day('2024-01-09'), percent: 2 }] },
  indexation: { index: 'CER', lagDays: 10, base: 20 },
});
const floating = makeTerms({
  ticker: 'BDC28' as Ticker,
  issued: day('2024-01-09'),
  maturity: day('2028-01-09'),
  currency: 'ARS',
  couponDates: { type: 'regular', months: 6, first: day('2024-07-09') },
  interest: { type: 'floating', index: 'BADLAR', marginPercent: 1 },
});

const universe = makeUniverse(
  [
    { ticker: 'AL30', kind: 'bond' },
    { ticker: 'AL30D', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'mep'] },
    { ticker: 'AL30C', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'cable'] },
    { ticker: 'TX28', kind: 'bond' },
    { ticker: 'TX28D', kind: 'bond', currency: 'USD', dollarClass: ['TX28', 'mep'] },
    { ticker: 'BDC28', kind: 'bond' },
    { ticker: 'S30N6', kind: 'bill' },
    { ticker: 'PAP0', kind: 'bond' },
    { ticker: 'GGAL' },
    { ticker: 'DOLAR MEP', kind: 'exchange-rate' },
  ],
  [al30, withCer, floating, lecap],
);

let indices = new IndexSeries(0, []);
const server = await startTestServer({ board: new Board(universe), indices: () => indices });
after(() => server[Symbol.asyncDispose]());

async function total(query: string) {
  const range = 'desde=2024-06-01&hasta=2039-12-31&ajuste=total';
  const answer = await server.get(`/historicos?${range}&${query}`);
  const rows = answer.json() as readonly { readonly fecha: string; readonly ultimo: number }[];
  return {
    closes: Object.fromEntries(rows.map(({ fecha, ultimo }) => [fecha, ultimo])),
    rows,
    lacking: answer.header('missing-dividendos'),
    withoutTerms: answer.header('missing-terminos'),
  };
}

before(async () => {
  // On July 9, 2024 it pays 0.375 of interest and 4 of principal. A trade of the 8th settles that day.
  const closes = [
    closeOn('2024-07-04', 48),
    closeOn('2024-07-05', 50),
    closeOn('2024-07-08', 46),
    closeOn('2024-07-09', 46.2),
  ];
  await server.putCloses(
    'AL30D',
    closes.map((one) => ({ ...one, volume: 10 })),
  );
  await server.putCloses('AL30', {
    '2024-07-04': 66_000,
    '2024-07-05': 70_000,
    '2024-07-08': 66_700,
  });
  await server.putCloses('AL30C', { '2024-07-05': 50, '2024-07-08': 46 });
  await server.putCloses('TX28', { '2024-07-05': 1_500, '2024-07-08': 1_490 });
  await server.putCloses('TX28D', { '2024-07-05': 1.2, '2024-07-08': 1.1 });
  await server.putCloses('BDC28', { '2024-07-05': 90, '2024-07-08': 91 });
  await server.putCloses('S30N6', { '2026-11-26': 129.5, '2026-11-27': 129.9 });
  await server.putCloses('PAP0', { '2024-07-05': 5 });
  await server.putCloses('DOLAR MEP', {
    '2024-07-04': 1_375,
    '2024-07-05': 1_400,
    '2024-07-08': 1_450,
  });
});

test('contract 4.2.18: a payment is taken on the first session that settles on its day or later, by the close before', async () => {
  // 1 − 4.375 ÷ 50 = 0.9125.
  assert.deepEqual(await total('especie=AL30D'), {
    closes: { '2024-07-04': 43.8, '2024-07-05': 45.625, '2024-07-08': 46, '2024-07-09': 46.2 },
    rows: [
      { especie: 'AL30D', fecha: '2024-07-04', ultimo: 43.8, volumen: 10 },
      { especie: 'AL30D', fecha: '2024-07-05', ultimo: 45.625, volumen: 10 },
      { especie: 'AL30D', fecha: '2024-07-08', ultimo: 46, volumen: 10 },
      { especie: 'AL30D', fecha: '2024-07-09', ultimo: 46.2, volumen: 10 },
    ],
    lacking: undefined,
    withoutTerms: undefined,
  });
  assert.deepEqual((await total('especie=AL30C')).closes, {
    '2024-07-05': 45.625,
    '2024-07-08': 46,
  });
});

test('contract 4.2.18: the class in pesos takes it by the MEP of the close before, so that its return in dollars is that of the class in dollars', async () => {
  // 4.375 × 1400 = 6125, and 1 − 6125 ÷ 70000 = 0.9125.
  const pesos = { '2024-07-04': 60_225, '2024-07-05': 63_875, '2024-07-08': 66_700 };
  assert.deepEqual((await total('especie=AL30')).closes, pesos);
  const inDollars = await total('especie=AL30&moneda=USD');
  assert.deepEqual(inDollars.closes, {
    '2024-07-04': 43.8,
    '2024-07-05': 45.625,
    '2024-07-08': 46,
  });
  const several = await total('especie=AL30,AL30D&forma=ancha');
  assert.deepEqual(several.rows[1], { fecha: '2024-07-05', AL30: 63_875, AL30D: 45.625 });
  const weeks = await total('especie=AL30&intervalo=1sem');
  assert.deepEqual(weeks.closes, { '2024-07-05': 63_875, '2024-07-08': 66_700 });
});

test('contract 4.2.18: an index multiplies the payment, and without its value the payment is named', async () => {
  const without = await total('especie=TX28');
  assert.deepEqual([without.closes['2024-07-05'], without.lacking], [1_500, '2024-07-08']);
  const value = { index: 'CER', day: toEpochDay(day('2024-06-25')), value: 300, source: 'test' };
  indices = new IndexSeries(1, [value as never]);
  // 1 × 300 ÷ 20 = 15, and 1 − 15 ÷ 1500 = 0.99. Ten settlement days before July 9 is June 25.
  const known = await total('especie=TX28');
  assert.deepEqual(
    [known.closes, known.lacking],
    [{ '2024-07-05': 1_485, '2024-07-08': 1_490 }, undefined],
  );
  // 15 pesos at 1400 are 0.010714 dollars.
  const dollars = await total('especie=TX28D');
  assert.equal(dollars.closes['2024-07-05'], Math.round((1.2 - 15 / 1_400) * 1e8) / 1e8);
});

test('contract 4.2.18: what cannot be taken is named, and the last payment leaves nothing to compare', async () => {
  assert.equal((await total('especie=BDC28')).lacking, '2024-07-08');
  assert.deepEqual((await total('especie=S30N6')).closes, {
    '2026-11-26': 129.5,
    '2026-11-27': 129.9,
  });
  const both = await total('especie=PAP0,GGAL,BDC28&forma=larga');
  assert.deepEqual([both.withoutTerms, both.lacking], ['PAP0', 'BDC28:2024-07-08']);
  assert.equal((await total('especie=PAP0')).withoutTerms, 'PAP0');
  const splits = await server.get(
    '/historicos?especie=PAP0&desde=2024-01-01&hasta=2024-12-31&ajuste=splits',
  );
  assert.equal(splits.header('missing-terminos'), undefined);
});

test('contract 4.2.18: payments are taken as of an instant, too', async () => {
  const known = await total(`especie=AL30D&conocido=2026-11-20T20:00:00Z`);
  assert.equal(known.closes['2024-07-05'], 45.625);
});

test('contract 4.2.18: a corrected dollar changes the response', async () => {
  await server.putCloses('DOLAR MEP', { '2024-07-05': 1_600 });
  assert.equal((await total('especie=AL30')).closes['2024-07-05'], 63_000);
});
