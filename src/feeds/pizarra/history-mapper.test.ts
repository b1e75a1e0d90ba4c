import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { mapEventos, mapHistoricos, mapIndices } from './origin-rows.ts';

const on = (date: string) => toEpochDay(date as PlainDate);

test('contract 2.2: the rows of several instruments are closes by ticker, zero and negative ones too', () => {
  const row = { especie: 'GGAL', fecha: '2026-11-20', ultimo: 7_410.5, volumen: 10 };
  const bar = { ...row, fecha: '2026-11-19', apertura: 1, maximo: 3, minimo: -2, volumen: null };
  assert.deepEqual(
    mapHistoricos([bar, row, { ...row, especie: 'MEP-CCL', ultimo: -0.5 }, { ...row, ultimo: 0 }]),
    new Map([
      [
        'GGAL',
        [
          { day: on('2026-11-19'), close: 7_410.5, volume: null, open: 1, high: 3, low: -2 },
          { day: on('2026-11-20'), close: 7_410.5, volume: 10 },
          { day: on('2026-11-20'), close: 0, volume: 10 },
        ],
      ],
      ['MEP-CCL', [{ day: on('2026-11-20'), close: -0.5, volume: 10 }]],
    ]),
  );
  assert.deepEqual(mapHistoricos([]), new Map());
  for (const wrong of [
    { especie: 1 },
    { fecha: '2026-02-30' },
    { fecha: undefined },
    { ultimo: '1' },
    { ultimo: null },
    { volumen: '1' },
    { apertura: '1' },
    { maximo: true },
    { minimo: {} },
  ]) {
    assert.throws(() => mapHistoricos([{ ...row, ...wrong }]), {
      code: 'unintelligible',
      message: /^\/historicos has a row that no Pizarra sends/,
    });
  }
  assert.throws(() => mapHistoricos([null]), /no Pizarra sends/);
});

test('contract 2.8: each type of action has its own values', () => {
  const context = { source: 'office', tickerOf: (text: string) => text.toUpperCase() as Ticker };
  const row = { especie: 'ggal', fecha: '2026-06-03' };
  const base = { ticker: 'GGAL', exDay: on('2026-06-03'), source: 'office' };
  const sent = [
    { ...row, tipo: 'split', factor: 10 },
    { ...row, tipo: 'dividendo-acciones', factor: 1.09 },
    { ...row, tipo: 'ratio', factor: 0.5 },
    { ...row, tipo: 'suscripcion', factor: 1.1 },
    { ...row, tipo: 'escision', factor: 2.376 },
    { ...row, tipo: 'dividendo', importe: 12.5, moneda: 'ARS' },
    { ...row, tipo: 'cambio-ticker', detalle: 'new' },
  ];
  assert.deepEqual(mapEventos(sent, context), [
    { ...base, type: 'split', factor: 10 },
    { ...base, type: 'stock-dividend', factor: 1.09 },
    { ...base, type: 'ratio-change', factor: 0.5 },
    { ...base, type: 'rights-issue', factor: 1.1 },
    { ...base, type: 'spin-off', factor: 2.376 },
    { ...base, type: 'cash-dividend', amount: 12.5, currency: 'ARS' },
    { ...base, type: 'ticker-change', newTicker: 'NEW' },
  ]);
  for (const wrong of [
    { ...row, tipo: 'canje' },
    { ...row, tipo: 'split' },
    { ...row, tipo: 'split', factor: 0 },
    { ...row, tipo: 'split', factor: 10, fecha: 'x' },
    { ...row, tipo: 'split', factor: 10, especie: null },
    { ...row, tipo: 'dividendo', importe: 0, moneda: 'ARS' },
    { ...row, tipo: 'dividendo', importe: 1 },
    { ...row, tipo: 'dividendo', importe: 1, moneda: 'A'.repeat(1_000) },
    { ...row, tipo: 'cambio-ticker', detalle: 'A'.repeat(1_000) },
    { ...row, tipo: 'split', factor: 10, especie: 'A'.repeat(1_000) },
    { ...row, tipo: 'dividendo', factor: 2 },
    { ...row, tipo: 'cambio-ticker' },
    { ...row, tipo: 'cambio-ticker', factor: 2 },
  ]) {
    assert.throws(() => mapEventos([wrong], context), { code: 'unintelligible' }, wrong.tipo);
  }
});

test('contract 4.14.2: the values of an index have a day each', () => {
  const row = { indice: 'CER', fecha: '2026-12-01', valor: 712.5 };
  assert.deepEqual(mapIndices([row]), [{ day: on('2026-12-01'), value: 712.5 }]);
  for (const wrong of [{ valor: 0 }, { valor: '1' }, { fecha: '2026-12' }]) {
    assert.throws(() => mapIndices([{ ...row, ...wrong }]), /\/indices has a row/);
  }
});
