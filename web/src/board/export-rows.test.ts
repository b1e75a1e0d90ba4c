import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../test/support/market/bond-figures.ts';
import type { Quote } from '../market/api/quote.ts';
import { csvOf } from '../ui/csv.ts';
import { exportTable } from './export-rows.ts';

const quote: Quote = {
  especie: 'GGAL',
  fecha: '2026-11-20',
  hora: '16:59:58',
  ultimo: 7410.5,
  variacion: -1.37,
  varMTD: null,
  varYTD: 12,
  volumen: 2154321,
};
const context = { factsOf: () => ({ info: undefined }), convention: 'pizarra' } as const;
const rows = [
  { ticker: 'GGAL', quote },
  { ticker: 'AL30', quote: undefined },
];

test('an export has the visible columns in their order, with the names of the contract', () => {
  const table = exportTable(rows, ['variacion', 'rueda', 'ultimo', 'hora', 'varMTD'], context);
  assert.equal(
    csvOf(table, 'punto'),
    'especie,variacion,ultimo,fecha,hora,varMTD\r\nGGAL,-1.37,7410.5,2026-11-20,16:59:58,\r\nAL30,,,,,\r\n',
  );
});

test('with decimal commas, fields are separated by semicolons, and no number becomes text', () => {
  const table = exportTable(rows.slice(0, 1), ['ultimo', 'variacion'], context);
  assert.equal(csvOf(table, 'coma'), 'especie;ultimo;variacion\r\nGGAL;7410,5;-1,37\r\n');
});

test('a text that a spreadsheet would run as a formula gets an apostrophe', () => {
  const source = { ...quote, especie: '=1+1', fuente: '+x' };
  const table = exportTable([{ ticker: '=1+1', quote: source }], ['fuente', 'variacion'], context);
  assert.equal(csvOf(table, 'punto'), `especie,fuente,variacion\r\n"'=1+1","'+x",-1.37\r\n`);
});

test('figures of bonds have the convention by which they were counted beside them', () => {
  const bond = bondFigures({ especie: 'AL30', fecha: quote.fecha, tir: 7.1234, paridad: null });
  const bonds: Readonly<Record<string, typeof bond>> = { AL30: bond };
  const factsOf = (ticker: string) => ({ info: undefined, bond: bonds[ticker] ?? null });
  const both = ['GGAL', 'AL30'].map((ticker) => ({ ticker, quote: { ...quote, especie: ticker } }));
  const table = exportTable(both, ['tir', 'vencimiento', 'paridad'], {
    factsOf,
    convention: 'bonarg',
  });
  assert.equal(
    csvOf(table, 'punto'),
    'especie,tir,vencimiento,paridad,convencion\r\nGGAL,,,,\r\nAL30,7.1234,2030-07-09,,bonarg\r\n',
  );
});
