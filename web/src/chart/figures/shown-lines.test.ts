import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { HistoryRow } from '../../market/api/quote.ts';
import type { CurrencyCode, ModeCode } from '../../places/chart-choices.ts';
import { dailyBars } from '../drawing/bars.ts';
import { shownLines } from './shown-lines.ts';

const close = (especie: string, day: number, ultimo: number): HistoryRow => ({
  especie,
  fecha: `2026-11-${day}`,
  ultimo,
  volumen: null,
});
const dollars = [close('DOLAR MEP', 18, 1000), close('DOLAR MEP', 20, 1200)];
const series: Readonly<Record<string, readonly HistoryRow[]>> = {
  AL30: [close('AL30', 18, 80_000), close('AL30', 19, 82_000), close('AL30', 20, 90_000)],
  GD30: [close('GD30', 18, 100_000), close('GD30', 20, 96_000)],
  AL30D: [close('AL30D', 18, 81), close('AL30D', 20, 74)],
  'RIESGO PAIS': [close('RIESGO PAIS', 20, 580)],
};
const infos = new Map(
  Object.entries({ AL30: 'ARS', GD30: 'ARS', AL30D: 'USD', 'RIESGO PAIS': 'bp' }).map(
    ([ticker, moneda]) => [ticker, { moneda }],
  ),
);

function shown(tickers: readonly string[], currency: CurrencyCode, mode: ModeCode) {
  const [ticker = '', ...compared] = tickers;
  return shownLines(
    tickers.map((one) => series[one] ?? []),
    {
      place: { ticker, compared, currency, mode },
      infos,
      barsOf: dailyBars,
      dollars,
    },
  );
}

type Lines = ReturnType<typeof shown>['lines'];
const closes = (lines: Lines) => lines.map(({ bars }) => bars.map(({ close: value }) => value));
const namesOf = (lines: Lines) => lines.map(({ name }) => name);
const unitsOf = (lines: Lines) => lines.map(({ unit }) => unit);

test('only prices in pesos are expressed in the dollar, and the days that it lacks are counted', () => {
  const { lines, ...rest } = shown(['AL30', 'AL30D', 'RIESGO PAIS'], 'mep', 'variacion');
  assert.deepEqual(namesOf(lines), ['AL30', 'AL30D', 'RIESGO PAIS']);
  assert.deepEqual(unitsOf(lines), ['USD MEP', 'USD', 'puntos básicos']);
  assert.deepEqual(closes(lines), [[80, 75], [81, 74], [580]]);
  assert.deepEqual(
    rest.missing.map(({ days }) => days),
    [['2026-11-19'], [], []],
  );
});

test('in the currency of each instrument, its rows are those of the service', () => {
  const { lines } = shown(['AL30', 'AL30D'], 'original', 'variacion');
  assert.deepEqual(
    lines.map(({ rows }) => rows),
    [series['AL30'], series['AL30D']],
  );
  assert.deepEqual(unitsOf(lines), ['ARS', 'USD']);
});

test('pairs are of prices in the currency of the chart, with the conversion in their rows', () => {
  const { lines } = shown(['AL30', 'AL30D', 'GD30'], 'mep', 'cociente');
  assert.deepEqual(namesOf(lines), ['AL30/AL30D', 'AL30/GD30']);
  assert.deepEqual(unitsOf(lines), ['', '']);
  assert.deepEqual(closes(lines), [
    [80 / 81, 75 / 74],
    [0.8, 0.9375],
  ]);
  assert.deepEqual(lines[0]?.rows[0], {
    especie: 'AL30/AL30D',
    fecha: '2026-11-18',
    cociente: 80 / 81,
    conversion: 'DOLAR MEP',
  });
  assert.deepEqual(lines[1]?.closes.at(-1), close('AL30/GD30', 20, 0.9375));
});

test('pairs in one currency need no dollar, and one in two is left out with a reason', () => {
  const { lines, ...rest } = shown(['AL30', 'AL30D', 'GD30'], 'original', 'cociente');
  assert.deepEqual(
    lines.map(({ name, color }) => [name, color]),
    [['AL30/GD30', 3]],
  );
  assert.deepEqual(closes(lines), [[0.8, 0.9375]]);
  assert.equal(rest.refusals.length, 1);
  assert.ok(!('conversion' in (lines[0]?.rows[0] ?? {})));
});

test('an instrument without a compared one is shown as itself in every mode', () => {
  const { lines, ...rest } = shown(['GD30'], 'original', 'cociente');
  assert.deepEqual([namesOf(lines), rest.isQuotient], [['GD30'], false]);
});
