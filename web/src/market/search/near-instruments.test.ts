import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { InstrumentInfo } from '../api/quote.ts';
import { editDistance, nearInstruments } from './near-instruments.ts';

const all = [
  ['GGAL', 'Grupo Financiero Galicia S.A.'],
  ['GGAL_US', 'Grupo Financiero Galicia ADR'],
  ['YPFD', 'YPF S.A.'],
  ['DOLAR MEP', 'Dólar MEP (bolsa)'],
  ['AL30', 'Bono AL30'],
  ['AL35', 'Bono AL35'],
  ['PAMP', 'Pampa Energía S.A.'],
].map(([especie = '', nombre = '']): InstrumentInfo => {
  const kind = { tipo: 'accion', mercado: 'BYMA', moneda: 'ARS', decimales: 2 } as const;
  return { especie, nombre, ...kind, unidadVariacion: 'por-ciento' };
});
const near = (text: string) => nearInstruments(text, all).map(({ especie }) => especie);

test('a ticker with a slip is near the one that was meant', () => {
  assert.deepEqual(near('GGLA'), ['GGAL']);
  assert.deepEqual(near('YPF'), ['YPFD']);
  assert.deepEqual(near('dolar mpe'), ['DOLAR MEP']);
  assert.deepEqual(near('AL3'), ['AL30', 'AL35']);
});

test('a word of a name leads to its instruments, also with a slip and without accents', () => {
  assert.deepEqual(near('galisia'), ['GGAL', 'GGAL_US']);
  assert.deepEqual(near('energia'), ['PAMP']);
});

test('a text that is near nothing has no suggestion', () => {
  assert.deepEqual(near('NOEXISTE'), []);
  assert.deepEqual(near(' '), []);
});

test('a swap of neighbours is one edit', () => {
  assert.equal(editDistance('GGLA', 'GGAL'), 1);
  assert.equal(editDistance('', 'ABC'), 3);
  assert.equal(editDistance('KITTEN', 'SITTING'), 3);
});
