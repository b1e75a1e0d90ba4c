import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { DollarRow } from '../market/api/quote.ts';
import {
  bestOrders,
  dollarCards,
  impliedDollars,
  missingDollars,
  receiptDollars,
  rowName,
  type DollarCard,
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

const textOf = ({ name, row: { base }, ticker }: DollarCard) => `${name}: ${base}, ${ticker}`;

test('each main dollar has one card, and the cards of the other references have names of their own', () => {
  const { main, others } = dollarCards(rows);
  assert.deepEqual(main.map(textOf), [
    'Oficial: BCRA, DOLAR OFICIAL',
    'MEP: AL30, DOLAR MEP',
    'CCL: AL30, DOLAR CCL',
    'Cripto: CRIPTO, DOLAR CRIPTO',
  ]);
  assert.deepEqual(others.map(textOf), [
    'Mayorista: MAE, DOLAR MAYORISTA',
    'MEP LEDE: BYMA, DOLAR MEP LEDE',
    'CCL CEDEARs: CEDEARS, undefined',
    'Canje: AL30, MEP-CCL',
  ]);
});

test('a published dollar has the card of its kind if the reference bond has no price', () => {
  const [mep] = dollarCards(rows.filter(({ base }) => base !== 'AL30')).main.slice(1);
  assert.deepEqual([mep?.name, mep?.ticker], ['MEP', 'DOLAR MEP LEDE']);
});

test('the card of a dollar shows the price of its instrument, as the strip does, also if the reference bond does not trade', () => {
  const published = row({ dolar: 'mep', base: 'BYMA', numerador: 'DOLAR MEP' });
  const old = { ...implied('mep', 'AL30'), fecha: '2024-02-02' };
  const { main, others } = dollarCards([old, published]);
  assert.deepEqual(main.map(textOf), ['MEP: BYMA, DOLAR MEP']);
  assert.deepEqual(others, []);
});

test('a dollar without any row is named as missing, and the canje is none', () => {
  assert.deepEqual(missingDollars(rows), ['Blue', 'Tarjeta', 'A3500']);
  assert.deepEqual(missingDollars([]).length, 8);
});

test('implied dollars have one line for each security, bonds and the most traded ones first', () => {
  const amounts: Readonly<Record<string, number>> = { AL30: 9, XXX: 11 };
  const securities = impliedDollars(rows, {
    amountOf: (ticker) => amounts[ticker],
    isBond: (ticker) => ticker === 'AL30',
  });
  assert.deepEqual(
    securities.map(({ base }) => base),
    ['AL30', 'XXX', 'GGAL'],
  );
  const [al30] = securities;
  assert.deepEqual(
    [al30?.mep?.dolar, al30?.ccl?.dolar, al30?.canje?.dolar],
    ['mep', 'ccl', 'canje'],
  );
});

const quoted = (base: string, compra: number | null, venta: number | null, estado = 'ok') =>
  row({ dolar: 'mep', base, compra, venta, estado });

test('dollars are bought at the lowest offer and sold at the highest bid of those that are current', () => {
  const best = bestOrders(
    [
      undefined,
      quoted('AL30', 1440, 1450),
      quoted('GD30', 1445, 1451),
      quoted('AL29', null, 1449),
      quoted('AE38', 2000, 1000, 'precio-dudoso'),
    ],
    ({ estado }) => estado === 'ok',
  );
  assert.deepEqual([best.toBuy?.base, best.toSell?.base], ['AL29', 'GD30']);
  assert.deepEqual(
    bestOrders([], () => true),
    { toBuy: undefined, toSell: undefined },
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
