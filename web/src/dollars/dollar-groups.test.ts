import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { DollarRow, InstrumentInfo } from '../market/api/quote.ts';
import {
  impliedGroups,
  mainDollars,
  missingDollars,
  receiptDollars,
  rowName,
} from './dollar-groups.ts';

function row(changes: Partial<DollarRow> & Pick<DollarRow, 'dolar' | 'base'>): DollarRow {
  return {
    compra: null,
    venta: null,
    ultimo: 1500,
    brecha: 1,
    fecha: '2026-11-26',
    hora: '12:00:00',
    calculo: 'publicado',
    numerador: null,
    denominador: null,
    estado: 'ok',
    ...changes,
  };
}

const implied = (dolar: DollarRow['dolar'], base: string) =>
  row({ dolar, base, calculo: 'implicito', numerador: base });

const rows: readonly DollarRow[] = [
  row({ dolar: 'oficial', base: 'BCRA', numerador: 'DOLAR OFICIAL' }),
  row({ dolar: 'mayorista', base: 'MAE', numerador: 'DOLAR MAYORISTA' }),
  row({ dolar: 'mep', base: 'BYMA', numerador: 'DOLAR MEP LEDE' }),
  row({ dolar: 'cripto', base: 'CRIPTO', numerador: 'DOLAR CRIPTO' }),
  implied('mep', 'GGAL'),
  implied('mep', 'AL30'),
  implied('ccl', 'AL30'),
  implied('canje', 'AL30'),
  implied('mep', 'XXX'),
  row({ dolar: 'ccl', base: 'CEDEARS', calculo: 'mediana', ultimo: 1600 }),
  row({ dolar: 'ccl', base: 'SPY', calculo: 'cedear', ultimo: 1584 }),
  row({ dolar: 'ccl', base: 'AAPL', calculo: 'cedear', ultimo: 1616 }),
];

test('the main dollars are the published ones, those of AL30 and the median, in the order of the market', () => {
  assert.deepEqual(
    mainDollars(rows).map(({ name, row: { base } }) => `${name} ${base}`),
    [
      'Oficial BCRA',
      'Mayorista MAE',
      'MEP AL30',
      'MEP BYMA',
      'CCL AL30',
      'CCL CEDEARS',
      'Cripto CRIPTO',
    ],
  );
});

test('a dollar without any row is named as missing, and the canje is none', () => {
  assert.deepEqual(missingDollars(rows), ['A3500', 'Tarjeta', 'Blue']);
  assert.deepEqual(missingDollars([]).length, 8);
});

test('implied dollars have one line for each security, in groups by kind, unknown ones last', () => {
  const kinds: Readonly<Record<string, InstrumentInfo['tipo']>> = { AL30: 'bono', GGAL: 'accion' };
  const groups = impliedGroups(rows, (ticker) => kinds[ticker]);
  assert.deepEqual(
    groups.map(({ title, securities }) => [title, ...securities.map(({ base }) => base)]),
    [
      ['Bonos y letras', 'AL30'],
      ['Acciones', 'GGAL'],
      ['Otras especies', 'XXX'],
    ],
  );
  const [al30] = groups[0]?.securities ?? [];
  assert.deepEqual(
    [al30?.mep?.dolar, al30?.ccl?.dolar, al30?.canje?.dolar],
    ['mep', 'ccl', 'canje'],
  );
  assert.deepEqual(
    impliedGroups([], () => undefined),
    [],
  );
});

test('the dollars of CEDEARs are sorted from the dearest, with their distance from the median', () => {
  const receipts = receiptDollars(rows);
  assert.deepEqual(
    receipts.map(({ row: { base } }) => base),
    ['AAPL', 'SPY'],
  );
  assert.ok(Math.abs((receipts[0]?.overMedian ?? 0) - 1) < 1e-9);
  assert.ok(Math.abs((receipts[1]?.overMedian ?? 0) + 1) < 1e-9);
  const [alone] = receiptDollars(rows.filter(({ calculo }) => calculo === 'cedear'));
  assert.equal(alone?.overMedian, undefined);
});

test('each row of a response has a name of its own', () => {
  assert.equal(new Set(rows.map(rowName)).size, rows.length);
});
