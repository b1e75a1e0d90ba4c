import assert from 'node:assert/strict';
import { test } from 'node:test';

import { csvOf } from '../../ui/csv.ts';
import { dailyBars } from '../drawing/bars.ts';
import { rowsInDollars } from './conversion.ts';
import { quotientRows, seriesTable } from './exported-rows.ts';

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

test('rows in dollars name the conversion and the price of the dollar, and others have none', () => {
  const dollar = { ...close, especie: 'DOLAR MEP', ultimo: 1500 };
  const { rows } = rowsInDollars([{ ...close, ultimo: 90_000 }], [dollar], dailyBars);
  assert.equal(
    csvOf(seriesTable([...rows, { ...close, especie: 'AL30D' }]), 'punto'),
    'especie,fecha,ultimo,volumen,conversion,dolar\r\nAL30,2026-11-20,60,,DOLAR MEP,1500\r\nAL30D,2026-11-20,71.25,,,\r\n',
  );
});

test('the values of a quotient have its name, its time and its conversion', () => {
  const bar = { day: '2026-11-20', close: 0.96, volume: null };
  const options = { name: 'AL30/GD30', conversion: 'DOLAR CCL' } as const;
  const daily = quotientRows([{ ...bar, time: bar.day }], options);
  assert.equal(
    csvOf(seriesTable(daily), 'coma'),
    'especie;fecha;cociente;conversion\r\nAL30/GD30;2026-11-20;0,96;DOLAR CCL\r\n',
  );
  const time = Date.parse('2026-11-20T11:05:00Z') / 1000;
  const own = { ...options, conversion: undefined } as const;
  assert.deepEqual(quotientRows([{ ...bar, time }], own), [
    { especie: 'AL30/GD30', fecha: '2026-11-20', hora: '11:05:00', cociente: 0.96 },
  ]);
});
