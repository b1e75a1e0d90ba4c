import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapQuote } from './origin-rows.ts';

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
const opened = Date.parse('2026-11-20T13:30:00Z');
const opensAt = (ticker: string): number | undefined => (ticker === 'GGAL' ? opened : undefined);
const map = (value: unknown) => mapQuote(value, { opensAt });

/** The reason for which a value is rejected. */
const reasonOf = (value: unknown): unknown => Object(map(value)).reason;

test('a quote of the contract becomes a whole quote with all of its fields, at its instant', () => {
  assert.deepEqual(map(quote), {
    ticker: 'GGAL',
    at: Date.parse('2026-11-20T19:59:58Z'),
    last: 7_410.5,
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
    followed: {
      sessionDate: '2026-11-20',
      hasInstant: true,
      changes: { previousClose: 7_319, change: 1.25, monthToDatePct: 3.1, yearToDatePct: null },
      source: { name: 'byma' },
    },
  });
});

test('what the quote does not have, the update does not have', () => {
  const { especie, fecha, ultimo, instante } = quote;
  const plain = {
    especie,
    fecha,
    ultimo,
    variacion: null,
    varMTD: null,
    varYTD: null,
    volumen: null,
  };
  const followed = {
    sessionDate: '2026-11-20',
    hasInstant: true,
    changes: { change: null, monthToDatePct: null, yearToDatePct: null },
    source: {},
  };
  const at = Date.parse('2026-11-20T19:59:58Z');
  assert.deepEqual(map({ ...plain, instante }), { ticker: 'GGAL', at, last: 7_410.5, followed });
  const undated = { ...followed, hasInstant: false };
  assert.deepEqual(map(plain), { ticker: 'GGAL', at: opened, last: 7_410.5, followed: undated });
});

test('what is no quote, or has a field of another type, is rejected', () => {
  assert.equal(Object(mapQuote('{', { opensAt })).reason, 'unintelligible');
  assert.equal(reasonOf([]), 'unintelligible');
  assert.equal(reasonOf({ ...quote, especie: 1 }), 'unintelligible');
  assert.equal(reasonOf({ ...quote, compra: '7' }), 'unintelligible');
  for (const name of ['anterior', 'variacion', 'varMTD', 'varYTD']) {
    assert.equal(reasonOf({ ...quote, [name]: '7' }), 'unintelligible', name);
  }
  assert.equal(reasonOf({ ...quote, instante: 'ayer' }), 'bad-instant');
  assert.equal(reasonOf({ ...quote, instante: undefined, especie: 'NADA' }), 'bad-instant');
  assert.equal(reasonOf({ ...quote, fecha: '2026-02-30' }), 'bad-instant');
  assert.equal(reasonOf({ ...quote, ultimo: null }), 'no-price');
});

test('the name of a source, and that of a rejected instrument, are kept up to a length', () => {
  const long = 'x'.repeat(50_000);
  const mapped = map({ ...quote, fuente: long });
  assert.ok('followed' in mapped);
  assert.equal(mapped.followed.source.name?.length, 100);
  const rejected = map({ ...quote, especie: long, fecha: 'x' });
  assert.ok('reason' in rejected);
  assert.equal(rejected.symbol?.length, 80);
});
