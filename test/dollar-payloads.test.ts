import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

import Papa from 'papaparse';

import { Bonds } from '../src/domain/bonds/bonds.ts';
import type { PlainDate } from '../src/domain/calendar/plain-date.ts';
import { DollarRates } from '../src/domain/dollars/dollar-rates.ts';
import { makeQuote } from '../src/domain/quotes/quote.ts';
import { loadUniverse } from '../src/universe/load-universe.ts';
import { sharedData, sharedOrSkip } from './support/program/shared-data.ts';

interface Row {
  readonly symbol: string;
  readonly c: number;
  readonly px_bid: number;
  readonly px_ask: number;
}

test('the implied dollars of the default universe are those of recorded prices of the market', async (t) => {
  const recorded = ['bonds', 'corp', 'cedears'].map((panel) =>
    sharedData(`payloads/data912/live-arg_${panel}-20260928.json`),
  );
  if (recorded.includes(undefined)) {
    t.skip('the shared market data is not available, so no implied dollar was compared');
    return;
  }
  const rows = new Map(
    recorded
      .flatMap((path) => JSON.parse(readFileSync(path ?? '', 'utf8')) as readonly Row[])
      .map((row) => [row.symbol, row]),
  );
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../universe'));
  assert.ok(loaded.ok);
  const rates = new DollarRates(loaded.universe, new Bonds(loaded.universe)).select(
    {},
    (instrument) => {
      const row = rows.get(instrument.ticker);
      if (row === undefined || row.c === 0) return undefined;
      const book = { at: 0, bid: row.px_bid, ask: row.px_ask };
      const session = { sessionDate: '2026-09-28' as PlainDate, last: row.c, volume: 1, book };
      return makeQuote(instrument, { version: 1, session, references: {} });
    },
  );
  const shown = (dollar: string, base: string) => {
    const rate = rates.find((one) => one.dollar === dollar && one.base === base);
    return rate === undefined ? undefined : Math.round(rate.last * 100) / 100;
  };
  // The figures that the market's own screens show for these prices.
  assert.equal(shown('mep', 'AL30'), 1555.31);
  assert.equal(shown('cable', 'AE38'), 1616.6);
  assert.equal(shown('cable-over-mep', 'AL30'), 4.29);
  assert.equal(shown('mep', 'SPY'), 1548.24);
  assert.equal(shown('mep', 'YM39O'), 1549.46);
  assert.equal(shown('mep', 'MELI'), 1538.97);
  const al30 = rates.find(({ dollar, base }) => dollar === 'mep' && base === 'AL30');
  assert.equal(Math.round((al30?.bid ?? 0) * 100) / 100, 1554.01);
  assert.ok(rates.length >= 40, String(rates.length));
});

/** The closes of a file of the shared history, by day. */
function closesOf(path: string): ReadonlyMap<string, number> {
  const { data } = Papa.parse<Readonly<Record<string, string>>>(readFileSync(path, 'utf8'), {
    header: true,
    skipEmptyLines: true,
  });
  return new Map(data.map(({ fecha = '', cierre = '' }) => [fecha, Number(cierre)]));
}

test('on every day of the recorded history with both closes, MEP is the one by the other', async (t) => {
  const folder = sharedOrSkip(t, 'history/lmpizarro__pyRofex/ratios/datos');
  if (folder === undefined) return;
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../universe'));
  assert.ok(loaded.ok);
  const dollars = new DollarRates(loaded.universe, new Bonds(loaded.universe));
  const fileOf = (ticker: string) => resolve(folder, `${ticker} - Cotizaciones historicas.csv`);
  let days = 0;
  for (const base of ['AL29', 'AL30', 'GD30', 'GD38', 'GD46']) {
    const pesos = closesOf(fileOf(base));
    const classD = closesOf(fileOf(`${base}D`));
    for (const [day, close] of pesos) {
      const other = classD.get(day);
      if (other === undefined || !(close > 0) || !(other > 0)) continue;
      const [rate, ...more] = dollars.select({ dollar: 'mep', base }, (instrument) => {
        const last = instrument.ticker === base ? close : other;
        if (![base, `${base}D`].includes(instrument.ticker)) return undefined;
        const session = { sessionDate: day as PlainDate, last, volume: 1 };
        return makeQuote(instrument, { version: 1, session, references: {} });
      });
      assert.equal(rate?.last, close / other, `${base} ${day}`);
      assert.equal(rate.sessionDate, day);
      assert.deepEqual(more, []);
      days += 1;
    }
  }
  assert.ok(days > 3_500, String(days));
});

test('the MEP of GD30 is the one that its source published, to the cent, on most days of the recorded history', async (t) => {
  const folder = sharedOrSkip(t, 'history/lmpizarro__pyRofex/ratios/datos');
  if (folder === undefined) return;
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../universe'));
  assert.ok(loaded.ok);
  const dollars = new DollarRates(loaded.universe, new Bonds(loaded.universe));
  const [pesos, classD, published] = ['GD30', 'GD30D', 'DOLAR MEP'].map((ticker) =>
    closesOf(resolve(folder, `${ticker} - Cotizaciones historicas.csv`)),
  );
  let [days, same] = [0, 0];
  for (const [day, mep] of published ?? []) {
    const closes = new Map([
      ['GD30', pesos?.get(day)],
      ['GD30D', classD?.get(day)],
    ]);
    const [rate] = dollars.select({ dollar: 'mep', base: 'GD30' }, (instrument) => {
      const last = closes.get(instrument.ticker);
      if (last === undefined || !(last > 0)) return undefined;
      const session = { sessionDate: day as PlainDate, last, volume: 1 };
      return makeQuote(instrument, { version: 1, session, references: {} });
    });
    if (rate === undefined) continue;
    days += 1;
    if (Math.abs(rate.last - mep) < 0.005_001) same += 1;
  }
  // On the other days, the source took other prices of the day.
  assert.ok(days > 800 && same > 600, `${same} of ${days} days`);
});
