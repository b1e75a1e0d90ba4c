import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapQuote } from './quote-mapper.ts';

const quote = {
  especie: 'GGAL',
  fecha: '2026-11-20',
  hora: '16:59:58',
  ultimo: 7_410.5,
  variacion: 1.25,
  anterior: 7_319,
  apertura: 7_320,
  minimo: 7_300,
  maximo: 7_425,
  varMTD: 3.1,
  varYTD: null,
  volumen: 2_154_321,
  compra: 7_410,
  venta: 7_411,
  cantCompra: 100,
  cantVenta: 250.5,
  monto: 15_954_000_000,
  operaciones: 4_321,
  fuente: 'byma',
  instante: '2026-11-20T16:59:58-03:00',
};

test('a quote of the contract becomes an update with all of its numbers, at its instant', () => {
  assert.deepEqual(mapQuote(JSON.stringify(quote)), {
    ticker: 'GGAL',
    at: Date.parse('2026-11-20T19:59:58Z'),
    last: 7_410.5,
    previousClose: 7_319,
    open: 7_320,
    low: 7_300,
    high: 7_425,
    volume: 2_154_321,
    bid: 7_410,
    ask: 7_411,
    bidSize: 100,
    askSize: 250.5,
    amount: 15_954_000_000,
    trades: 4_321,
  });
});

/** The reason for which a text is rejected. */
const reasonOf = (data: string): unknown => Object(mapQuote(data)).reason;

test('what is no quote, or has a field of another type, is rejected', () => {
  assert.equal(reasonOf('{'), 'unintelligible');
  assert.equal(reasonOf('[]'), 'unintelligible');
  assert.equal(reasonOf(JSON.stringify({ ...quote, especie: 1 })), 'unintelligible');
  assert.equal(reasonOf(JSON.stringify({ ...quote, compra: '7' })), 'unintelligible');
  assert.equal(reasonOf(JSON.stringify({ ...quote, instante: 'ayer' })), 'bad-instant');
  assert.equal(reasonOf(JSON.stringify({ ...quote, ultimo: null })), 'no-price');
});
