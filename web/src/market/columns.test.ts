import assert from 'node:assert/strict';
import { test } from 'node:test';

import { allColumns, columnsOf, decimalsOf, readFields, requestedFields } from './columns.ts';

const noChanges = { variacion: null, varMTD: null, varYTD: null, volumen: null };

test('the columns have the chosen order, and an unknown or repeated one is left out', () => {
  const fields = readFields(['hora', 'nada', 'ultimo', 'hora', 3]);
  assert.deepEqual(fields, ['hora', 'ultimo']);
  assert.deepEqual(
    columnsOf(fields ?? []).map(({ title }) => title),
    ['Hora', 'Último'],
  );
  assert.equal(readFields({}), undefined);
});

test('only the fields of chosen columns are requested', () => {
  assert.deepEqual(requestedFields(['ultimo', 'rueda', 'hora', 'ratio']), []);
  assert.deepEqual(requestedFields(['ultimo', 'monto', 'rueda', 'cantVenta']), [
    'monto',
    'cantVenta',
  ]);
});

test('every column has its own field and title', () => {
  assert.equal(new Set(allColumns.map(({ field }) => field)).size, allColumns.length);
  assert.equal(new Set(allColumns.map(({ title }) => title)).size, allColumns.length);
});

test('every price of a quote counts for the decimals with which its prices are shown', () => {
  const quote = { especie: 'GGAL', fecha: '2026-11-20', ultimo: 1, ...noChanges };
  for (const { field } of allColumns.filter(({ isPrice }) => isPrice === true)) {
    assert.equal(decimalsOf({ ...quote, [field]: 1.23 }), 2, field);
  }
});
