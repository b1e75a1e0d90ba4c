import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { InstrumentInfo } from '../api/quote.ts';
import { findInstruments } from './find-instruments.ts';

const all = [
  ['GGAL', 'Grupo Financiero Galicia S.A.'],
  ['GCLA', 'Grupo Clarín S.A.'],
  ['BYCHO', 'ON Banco Galicia 7,75 % vto. 10/10/2028'],
  ['GGAL_US', 'Grupo Financiero Galicia ADR'],
  ['YPFD', 'YPF S.A.'],
  ['YMCXO', 'ON YPF 8,75 % vto. 30/06/2029'],
  ['DOLAR MEP', 'Dólar MEP (bolsa)'],
  ['AL30', 'Bono AL30'],
  ['AL35', 'Bono AL35'],
  ['AL', 'Air Lease Corporation'],
  ['PAMP', 'Pampa Energía S.A.'],
  ['XLP', 'The Consumer Staples ETF'],
  ['AAPL', 'Apple Inc.'],
].map(([especie = '', nombre = '']): InstrumentInfo => {
  const kind = { tipo: 'accion', mercado: 'BYMA', moneda: 'ARS', decimales: 2 } as const;
  return { especie, nombre, ...kind, unidadVariacion: 'por-ciento' };
});
const found = (text: string) =>
  findInstruments(text, all).instruments.map(({ especie }) => especie);

test('a ticker comes before those that begin so, and these before words of names', () => {
  assert.deepEqual(found('al'), ['AL', 'AL30', 'AL35', 'GGAL', 'BYCHO', 'GGAL_US']);
  assert.deepEqual(found('ypf'), ['YPFD', 'YMCXO']);
  assert.deepEqual(found('galicia'), ['GGAL', 'BYCHO', 'GGAL_US']);
});

test('accents, case and white space do not matter, and words may have any order', () => {
  assert.deepEqual(found('ENERGIA'), ['PAMP']);
  assert.deepEqual(found('énergía'), ['PAMP']);
  assert.deepEqual(found('  dolar   mep '), ['DOLAR MEP']);
  assert.deepEqual(found('galicia banco'), ['BYCHO']);
});

test('a wrong, missing, further or swapped letter of a word is forgiven', () => {
  for (const text of ['galisia', 'galcia', 'galiccia', 'gailcia', 'aglicia', 'galis', 'galixix']) {
    assert.deepEqual(found(text), ['GGAL', 'BYCHO', 'GGAL_US'], text);
  }
  assert.deepEqual(found('grupo galisia'), ['GGAL', 'GGAL_US']);
  assert.deepEqual(found('enrgia'), ['PAMP']);
});

test('a slip in a ticker is forgiven, the nearest ticker first', () => {
  assert.deepEqual(found('GGLA'), ['GGAL', 'GCLA', 'GGAL_US']);
  assert.deepEqual(found('dolar mpe'), ['DOLAR MEP']);
  assert.equal(found('YPDF')[0], 'YPFD');
});

test('what matches as typed comes before what is forgiven, and a ticker needs no forgiving', () => {
  assert.deepEqual(found('aple'), ['XLP', 'AAPL']);
  assert.deepEqual(found('AL30'), ['AL30']);
});

test('the result says whether all of it is forgiven', () => {
  assert.equal(findInstruments('galisia', all).areAllForgiven, true);
  assert.equal(findInstruments('aple', all).areAllForgiven, false);
  assert.equal(findInstruments('NOEXISTE', all).areAllForgiven, false);
});

test('a text that is near nothing finds nothing, and neither does an empty one', () => {
  for (const text of ['NOEXISTE', 'zz', ' ', 'galicia nada'])
    assert.deepEqual(found(text), [], text);
});

test('a search shows at most 50 instruments', () => {
  const many = all.flatMap((info) =>
    ['1', '2', '3', '4', '5'].map((end) => ({ ...info, especie: `GG${info.especie}${end}` })),
  );
  assert.equal(findInstruments('gg', many).instruments.length, 50);
});
