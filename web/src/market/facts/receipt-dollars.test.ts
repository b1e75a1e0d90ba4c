import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { DollarRow, InstrumentInfo, Quote } from '../api/quote.ts';
import { columns } from '../columns.ts';
import type { RowFacts } from './instrument-facts.ts';
import { impliedDollar, impliedHint, receiptKey, receiptName } from './receipt-dollars.ts';

const info: InstrumentInfo = {
  especie: 'AAPL',
  nombre: 'CEDEAR Apple Inc.',
  tipo: 'cedear',
  mercado: 'BYMA',
  moneda: 'ARS',
  decimales: 4,
  unidadVariacion: 'por-ciento',
  ratio: '20:1',
  subyacente: 'AAPL_US',
};
const quote: Quote = {
  especie: 'AAPL',
  fecha: '2026-11-20',
  ultimo: 15_000,
  variacion: null,
  varMTD: null,
  varYTD: null,
  volumen: null,
};
const dollar: DollarRow = {
  dolar: 'ccl',
  base: 'AAPL',
  compra: null,
  venta: null,
  ultimo: 1480.2182,
  brecha: 3.5632,
  fecha: '2026-11-20',
  hora: '12:00:00',
  calculo: 'cedear',
  numerador: 'AAPL',
  denominador: 'AAPL_US',
  estado: 'ok',
};
const facts = { quote, info, dollar };

function textOf(known: RowFacts): string | undefined {
  const how = { unit: undefined, decimals: 2, today: quote.fecha };
  return columns.get('implicito')?.format(known, how);
}

test('the implied dollar is that of the service, with its gap in the title', () => {
  assert.equal(impliedDollar(facts), 1480.2182);
  assert.equal(textOf(facts), '1.480,22');
  assert.equal(impliedHint(facts), 'Brecha con el mayorista: +3,56\u00a0%');
  assert.equal(impliedHint({ ...facts, dollar: { ...dollar, brecha: null } }), undefined);
});

/** The reason for a dash. */
function hintOf(changes: Partial<Parameters<typeof impliedHint>[0]>): string | undefined {
  assert.equal(textOf({ ...facts, ...changes }), '–');
  return impliedHint({ ...facts, ...changes });
}

test('a dash says why there is no implied dollar', () => {
  assert.equal(hintOf({ quote: undefined }), 'Sin cotización');
  assert.match(hintOf({ info: undefined, dollar: null }) ?? '', /No es un certificado/);
  assert.match(hintOf({ dollar: null }) ?? '', /no operó.*mediana/);
  assert.equal(hintOf({ dollar: undefined }), undefined, 'while it is requested');
  assert.match(hintOf({ dollar: { ...dollar, fecha: '2026-11-19' } }) ?? '', /^Todavía no/);
});

test('a receipt is found by its ticker, apart from the dollar of its classes', () => {
  assert.equal(receiptName(dollar), receiptKey('AAPL'));
  assert.notEqual(receiptName({ ...dollar, calculo: 'implicito' }), receiptKey('AAPL'));
});
