import assert from 'node:assert/strict';
import { test } from 'node:test';

import { csvOf } from '../../ui/csv.ts';
import { seriesTable } from './series-table.ts';

const close = { especie: 'AL30', fecha: '2026-11-20', ultimo: 71.25, volumen: null };

test('the export of a chart has the fields that its rows have, in the order of the contract', () => {
  const rows = [{ ...close, apertura: 70.5, maximo: 72, minimo: 70 }, close];
  const table = seriesTable(rows);
  assert.equal(
    csvOf(table, 'punto'),
    'especie,fecha,apertura,maximo,minimo,ultimo,volumen\r\nAL30,2026-11-20,70.5,72,70,71.25,\r\nAL30,2026-11-20,,,,71.25,\r\n',
  );
  assert.equal(
    csvOf(seriesTable([close]), 'coma'),
    'especie;fecha;ultimo;volumen\r\nAL30;2026-11-20;71,25;\r\n',
  );
});
