import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapHealth } from './origin-rows.ts';

const map = (value: unknown) =>
  mapHealth({ text: JSON.stringify(value), contentType: 'application/json' });
const mapText = (text: string) => mapHealth({ text, contentType: 'text/html' });
const healthy = { estado: 'ok', instancia: 'abc', datos: 'reales' };

test('a healthy origin has an id, and one whose sources have failed says why', () => {
  assert.deepEqual(map(healthy), { instance: 'abc', stale: [] });
  const { instance, outage } = map({ ...healthy, sinFuentes: 'conexion' });
  assert.deepEqual([instance, outage?.code], ['abc', 'unavailable']);
  assert.match(outage?.message ?? '', /no source that gives prices \(sinFuentes: conexion\)/);
});

test('the stale sources of the origin have their names, markets and last prices there', () => {
  const desde = '2026-11-20T12:00:00-03:00';
  const rows = [
    { fuente: 'byma', mercados: ['BYMA', 7], desde },
    { fuente: 'x'.repeat(200), mercados: [], desde: null },
    { fuente: 7, mercados: [] },
    { fuente: 'otra' },
    null,
  ];
  const lastPriceAt = Date.parse(desde);
  assert.deepEqual(map({ ...healthy, fuentesAtrasadas: rows }).stale, [
    { name: 'byma', markets: ['BYMA'], lastPriceAt },
    { name: 'x'.repeat(100), markets: [], lastPriceAt: undefined },
  ]);
  assert.deepEqual(map({ ...healthy, fuentesAtrasadas: 'byma' }).stale, []);
  const { stale } = map({ ...healthy, sinFuentes: 'conexion', fuentesAtrasadas: rows });
  assert.equal(stale.length, 2);
});

test('a demonstration is refused, because its prices are made up', () => {
  const simulated = { ...healthy, datos: 'simulados' };
  assert.throws(() => map(simulated), { code: 'refused', message: /made-up and real prices/ });
});

test('another body is not that of a Pizarra', () => {
  for (const value of [{}, [], { instancia: 7 }, { instancia: 'x'.repeat(65) }]) {
    assert.throws(() => map(value), { code: 'unintelligible', message: /not that of a Pizarra/ });
  }
});

test('a page is not that of a Pizarra either, and a text about a limit is a limit', () => {
  assert.throws(() => mapText('<html>'), {
    code: 'unintelligible',
    message:
      '/healthz is not that of a Pizarra (the source sent a page instead of JSON): url is the part before /cotizaciones',
  });
  assert.throws(() => mapText('Too many requests'), { code: 'limited' });
});
