import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CurrencyCode, ModeCode } from '../../places/chart-choices.ts';
import { conversionTexts } from './conversion-texts.ts';

const infos = new Map(
  Object.entries({
    GGAL: 'ARS',
    MERVAL: 'ARS',
    AL30D: 'USD',
    'CAUCION 1D': '%',
    'RIESGO PAIS': 'bp',
  }).map(([ticker, moneda]) => [ticker, { moneda }]),
);

function texts(
  [ticker = '', ...compared]: readonly string[],
  currency: CurrencyCode,
  more: {
    readonly mode?: ModeCode;
    readonly missing?: readonly { readonly ticker: string; readonly days: readonly string[] }[];
    readonly isIntraday?: boolean;
    readonly isServed?: boolean;
  } = {},
): readonly string[] {
  const { mode = 'variacion', missing = [], isIntraday = false, isServed = true } = more;
  return conversionTexts(
    { ticker, compared, currency, mode },
    { infos, missing, isIntraday, isServed },
  );
}

test('without a conversion, only different units are named', () => {
  assert.deepEqual(texts(['GGAL', 'MERVAL'], 'original'), []);
  assert.match(texts(['GGAL', 'AL30D'], 'original')[0] ?? '', /distintas \(ARS, USD\)/);
  assert.deepEqual(texts(['GGAL', 'AL30D'], 'original', { mode: 'cociente' }), []);
});

test('a conversion says what divides the prices, and the official dollar which one it is', () => {
  assert.deepEqual(texts(['GGAL'], 'mep'), [
    'Los precios en pesos están divididos por el cierre del mismo día de DOLAR MEP.',
  ]);
  assert.deepEqual(texts(['GGAL'], 'oficial', { isIntraday: true }), [
    'Los precios en pesos están divididos por el último precio de la rueda de DOLAR OFICIAL, el minorista del Banco Nación.',
  ]);
});

test('what is not in pesos is named, and stays as it is', () => {
  assert.deepEqual(texts(['AL30D', 'RIESGO PAIS', 'CAUCION 1D'], 'ccl'), [
    'AL30D ya está en dólares: no se convierte.',
    'RIESGO PAIS no se convierte: está en puntos básicos.',
    'CAUCION 1D no se convierte: está en %.',
  ]);
});

test('days and bars without a price of the dollar are counted', () => {
  const missing = [
    { ticker: 'GGAL', days: ['2026-11-18', '2026-11-19', '2026-11-20'] },
    { ticker: 'MERVAL', days: ['2026-11-20'] },
  ];
  assert.deepEqual(texts(['GGAL', 'MERVAL'], 'mep', { missing }).slice(1), [
    'GGAL, sin dólar MEP: 3 días, que no se muestran.',
    'MERVAL, sin dólar MEP: 1 día, que no se muestra.',
  ]);
  const bars = texts(['GGAL', 'MERVAL'], 'ccl', { missing, isIntraday: true });
  assert.equal(bars[1], 'GGAL, sin dólar CCL: 3 barras, que no se muestran.');
});

test('a service without the dollar says so', () => {
  assert.deepEqual(texts(['GGAL'], 'ccl', { isServed: false }), [
    'El servicio no tiene la especie DOLAR CCL. Elegir otra moneda.',
  ]);
});
