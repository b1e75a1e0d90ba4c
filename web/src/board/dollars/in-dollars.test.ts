import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Quote } from '../../market/api/quote.ts';
import { convertedBars, pathInDollars, quoteInDollars } from './in-dollars.ts';

const day = '2026-11-20';
const pesos = { moneda: 'ARS' };

function quote(especie: string, changes: Partial<Quote>): Quote {
  const none = { variacion: null, varMTD: null, varYTD: null, volumen: null };
  return { especie, fecha: day, ultimo: 1, ...none, ...changes };
}

const dollar = quote('DOLAR MEP', { ultimo: 1500, anterior: 1400, varMTD: 10, varYTD: 25 });
const share = quote('GGAL', {
  ultimo: 12_000,
  anterior: 11_000,
  apertura: 11_100,
  minimo: 11_000,
  maximo: 12_100,
  compra: 11_985,
  venta: 12_030,
  varMTD: 21,
  varYTD: 0,
  variacion: 9.09,
  volumen: 7,
  monto: 84_000,
});

function bar(time: string, close: number) {
  return { time, day: time, close, volume: 1 };
}

test('prices are divided by the dollar of their moment, and changes follow from both changes', () => {
  assert.deepEqual(quoteInDollars(share, pesos, dollar), {
    especie: 'GGAL',
    fecha: day,
    ultimo: 8,
    // 8 against 7.857: the previous close by that of the dollar.
    anterior: 7.857,
    variacion: 1.82,
    compra: 7.99,
    venta: 8.02,
    varMTD: 10,
    varYTD: -20,
    volumen: 7,
    monto: 84_000,
  });
});

test('a price without a dollar of its session is not converted, and one in another unit stays', () => {
  assert.equal(quoteInDollars(share, pesos, undefined), undefined);
  assert.equal(quoteInDollars(share, pesos, { ...dollar, fecha: '2026-11-19' }), undefined);
  assert.equal(quoteInDollars(share, undefined, dollar), undefined);
  assert.equal(quoteInDollars(share, { moneda: 'USD' }, undefined), share);
  const { anterior: _, ...withoutPrevious } = dollar;
  const unknown = quoteInDollars(share, pesos, withoutPrevious);
  assert.deepEqual([unknown?.ultimo, unknown?.variacion, unknown?.anterior], [8, null, undefined]);
});

test('a small price keeps four significant digits', () => {
  const small = quoteInDollars(quote('X', { ultimo: 4.5678 }), pesos, dollar);
  assert.equal(small?.ultimo, 0.003045);
});

test('each step of a path is divided by the last price of the dollar until its end', () => {
  const path = { day, openMinute: 660, stepMinutes: 5, prices: [3000, null, 3200, 3300] };
  const dollars = { day, openMinute: 630, stepMinutes: 15, prices: [null, null, 1500, 1600] };
  assert.deepEqual(pathInDollars(path, dollars)?.prices, [2, null, 3200 / 1500, 3300 / 1600]);
  assert.equal(pathInDollars(path, { ...dollars, day: '2026-11-19' }), undefined);
  assert.equal(pathInDollars(path, undefined), undefined);
});

test('bars are divided by the latest dollar of their session, and those without one are left out', () => {
  const range = { open: 200, high: 400, low: 100 };
  const bars = [bar('2026-11-18', 10), bar('2026-11-19', 20), { ...bar(day, 300), range }];
  assert.deepEqual(convertedBars(bars, [bar('2026-11-18', 2), bar(day, 100)]), [
    bar('2026-11-18', 5),
    { ...bar(day, 3), range: { open: 2, high: 4, low: 1 } },
  ]);
  const at = (time: number, close: number) => ({ time, day, close, volume: null });
  assert.deepEqual(convertedBars([at(1, 10), at(5, 10)], [at(2, 5), at(4, 2), at(6, 1)]), [
    at(5, 5),
  ]);
});
