import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offeredInstruments, offeredTerms, type OriginRow } from './read-offered.ts';

const row = {
  especie: 'AL30D',
  nombre: 'Bonar 2030, clase D',
  tipo: 'bono',
  mercado: 'BYMA',
  moneda: 'USD',
  decimales: 5,
  unidadVariacion: 'por-ciento',
};

const written = (cells: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== ''));

const cellsOf = (more: OriginRow = {}) => {
  const notes: string[] = [];
  const cells = offeredInstruments([{ ...row, ...more }], notes)?.[0];
  assert.deepEqual(notes, []);
  return written(cells);
};

test('a row has the cells of an instrument; a default of its kind is left out', () => {
  const plain = {
    ticker: 'AL30D',
    name: 'Bonar 2030, clase D',
    kind: 'bond',
    market: 'BYMA',
    currency: 'USD',
    decimals: '5',
  };
  assert.deepEqual(cellsOf(), plain);
  assert.deepEqual(cellsOf({ precioPor: 100, base: 'AL30', clase: 'ARS' }), plain);
  assert.deepEqual(
    cellsOf({
      unidadVariacion: 'puntos',
      precioPor: 1,
      base: 'AL30',
      clase: 'MEP',
      emisor: 'República',
      vencimiento: '2030-07-09',
    }),
    {
      ...plain,
      change_unit: 'points',
      price_per: '1',
      base: 'AL30',
      class: 'mep',
      issuer: 'República',
      maturity: '2030-07-09',
    },
  );
  assert.equal(cellsOf({ clase: 'CABLE', base: 'AL30' })['class'], 'cable');
  const cedear = cellsOf({
    tipo: 'cedear',
    ratio: '20:1',
    subyacente: 'AAPL_US',
    vencimiento: 'x',
  });
  assert.deepEqual(
    [cedear['kind'], cedear['ratio'], cedear['underlying'], cedear['maturity']],
    ['cedear', '20:1', 'AAPL_US', undefined],
  );
});

test('an instrument of an unknown kind is noted; a row that no Pizarra sends is none', () => {
  const notes: string[] = [];
  assert.deepEqual(offeredInstruments([{ ...row, tipo: 'futuro' }], notes), []);
  assert.deepEqual(notes, ['AL30D: not added, because its kind futuro is not known here']);
  for (const field of Object.keys(row)) {
    assert.equal(offeredInstruments([row, { ...row, [field]: null }], []), undefined, field);
  }
  assert.equal(offeredInstruments([{ ...row, unidadVariacion: 'x' }], []), undefined);
});

test('the rows of the classes of an issue are one row of terms, without what means nothing', () => {
  const terms = { titulo: 'AL30', emision: '2020-09-04', factor: 1, conteoDias: '30/360' };
  const [al30, tx, ...others] = offeredTerms([
    { especie: 'AL30D', ...terms },
    { especie: 'GGAL' },
    { especie: 'AL30', ...terms },
    { especie: 'TX', titulo: 'TX', indice: 'TAMAR', margen: 0, factor: 1.27, tem: 2.1 },
  ]);
  assert.deepEqual(others, []);
  assert.deepEqual(written(al30), {
    especie: 'AL30',
    series: 'AL30D',
    emision: '2020-09-04',
    base: '30/360',
  });
  assert.deepEqual(written(tx), {
    especie: 'TX',
    indice: 'TAMAR',
    rezago: '0',
    margen: '0',
    factor: '1.27',
    tem: '2.1',
  });
});
