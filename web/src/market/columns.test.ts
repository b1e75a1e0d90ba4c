import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bondFigures } from '../../../test/support/market/bond-figures.ts';
import type { InstrumentInfo, Quote } from './api/quote.ts';
import {
  allColumns,
  columns,
  columnsOf,
  decimalsOf,
  readFields,
  requestedFields,
  type ColumnField,
} from './columns.ts';
import type { RowFacts } from './facts/instrument-facts.ts';

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

const quote: Quote = { especie: 'AL30', fecha: '2026-11-26', ultimo: 93_774, ...noChanges };
const how = { unit: undefined, decimals: 2, today: quote.fecha };

function textOf(field: ColumnField, facts: RowFacts): string | undefined {
  return columns.get(field)?.format(facts, how);
}

function hintOf(field: ColumnField, facts: RowFacts): string | undefined {
  return columns.get(field)?.hint?.(facts);
}

function info(nombre: string): InstrumentInfo {
  const rest = { especie: 'AL30', tipo: 'bono', mercado: 'BYMA', moneda: 'ARS', decimales: 2 };
  return { ...rest, nombre, unidadVariacion: 'por-ciento' } as InstrumentInfo;
}

test('yield and parity are percentages, the duration is in years, with two decimals as in Argentina', () => {
  const bond = bondFigures({ tir: 7.7451, durationModificada: 1.8422, paridad: 1101.6967 });
  const facts = { quote, info: undefined, bond };
  assert.equal(textOf('tir', facts), '7,75\u00a0%');
  assert.equal(textOf('durationModificada', facts), '1,84');
  assert.equal(textOf('paridad', facts), '1.101,70\u00a0%');
  assert.equal(columns.get('tir')?.value(facts), 7.7451);
  assert.equal(textOf('tir', { ...facts, bond: { ...bond, tir: -1.1476 } }), '−1,15\u00a0%');
  assert.equal(textOf('tir', { ...facts, bond: { ...bond, tir: -0.004 } }), '0,00\u00a0%');
});

test('the maturity is that of the terms, and that of the name only without terms', () => {
  const named = info('LECAP vto. 30/11/2026');
  assert.equal(textOf('vencimiento', { quote, info: named, bond: bondFigures({}) }), '09/07/2030');
  assert.equal(textOf('vencimiento', { quote, info: named, bond: null }), '30/11/2026');
  assert.equal(textOf('vencimiento', { quote, info: named }), '30/11/2026');
  const unknown = { quote, info: info('ON YPF'), bond: null };
  assert.equal(textOf('vencimiento', unknown), '–');
  assert.match(hintOf('vencimiento', unknown) ?? '', /condiciones de emisión/);
});

test('a dash says why the figure is missing', () => {
  const reasonOf = (changes: Parameters<typeof bondFigures>[0]) => {
    const facts = { quote, info: undefined, bond: bondFigures({ tir: null, ...changes }) };
    assert.equal(textOf('tir', facts), '–');
    return hintOf('tir', facts);
  };
  assert.equal(reasonOf({ estado: 'sin-indice' }), 'Falta el valor del índice');
  assert.equal(
    reasonOf({ estado: 'sin-indice', indice: 'CER', fechaIndice: '2026-11-17' }),
    'Falta el valor del índice: CER del 17/11/2026',
  );
  assert.match(reasonOf({ estado: 'sin-cambio' }) ?? '', /^Falta el dólar/);
  assert.equal(reasonOf({ estado: 'sin-solucion' }), 'Ninguna tasa da ese precio');
  assert.match(reasonOf({ estado: 'precio-dudoso' }) ?? '', /^El precio es dudoso/);
  assert.equal(reasonOf({ estado: 'vencido' }), 'El bono venció');
  assert.equal(hintOf('tir', { quote: undefined, info: undefined, bond: null }), 'Sin cotización');
  assert.equal(hintOf('tir', { quote, info: undefined }), undefined, 'while it is requested');
});

test('a figure of another session than the price is not shown', () => {
  const bond = bondFigures({ fecha: '2026-11-25' });
  const facts = { quote, info: undefined, bond };
  assert.equal(textOf('tir', facts), '–');
  assert.equal(hintOf('tir', facts), 'Todavía no se calculó con el precio de esta rueda');
  assert.equal(textOf('vencimiento', facts), '09/07/2030');
});

test('a figure says what it supposes', () => {
  const bond = bondFigures({ supuesto: 'sin opciones; terminos en duda' });
  const hint = hintOf('tir', { quote, info: undefined, bond });
  assert.equal(hint, 'Supuesto: sin opciones; términos en duda');
});
