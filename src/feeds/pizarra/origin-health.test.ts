import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainOf, mapHealth } from './origin-health.ts';

const refused = (message: RegExp) => ({ name: 'FeedFault', code: 'refused', message });

test('the chain of an origin is the origin and what it follows; what is no id is left out', () => {
  assert.deepEqual(chainOf('me', { instance: 'a', origins: null }), ['a']);
  assert.deepEqual(chainOf('me', { instance: 'a', origins: '' }), ['a']);
  assert.deepEqual(chainOf('me', { instance: 'a', origins: 'b c-_1' }), ['a', 'b', 'c-_1']);
  const odd = `b <script> ${'x'.repeat(65)} c`;
  assert.deepEqual(chainOf('me', { instance: 'a', origins: odd }), ['a', 'b', 'c']);
  const many = Array.from({ length: 1_000 }, (_, at) => `s${at}`).join(' ');
  assert.equal(chainOf('me', { instance: 'a', origins: many }).length, 65);
});

test('a service that follows itself is refused, and says that the URL is its own', () => {
  const itself = { instance: 'me', origins: '' };
  assert.throws(() => chainOf('me', itself), refused(/is this service itself: correct url/));
});

test('a loop is refused, wherever in it this service is', () => {
  for (const origins of ['me', 'b me', 'me b']) {
    const message = /follows this service, directly or through others: a loop/;
    assert.throws(() => chainOf('me', { instance: 'a', origins }), refused(message));
  }
});

const healthy = { estado: 'ok', instancia: 'abc', datos: 'reales' };

test('a healthy origin has an id, and one whose sources have failed says why', () => {
  assert.deepEqual(mapHealth(healthy), { instance: 'abc', stale: [] });
  const { instance, outage } = mapHealth({ ...healthy, sinFuentes: 'conexion' });
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
  assert.deepEqual(mapHealth({ ...healthy, fuentesAtrasadas: rows }).stale, [
    { name: 'byma', markets: ['BYMA'], lastPriceAt },
    { name: 'x'.repeat(100), markets: [], lastPriceAt: undefined },
  ]);
  assert.deepEqual(mapHealth({ ...healthy, fuentesAtrasadas: 'byma' }).stale, []);
  const { stale } = mapHealth({ ...healthy, sinFuentes: 'conexion', fuentesAtrasadas: rows });
  assert.equal(stale.length, 2);
});

test('a demonstration is refused, because its prices are made up', () => {
  const simulated = { ...healthy, datos: 'simulados' };
  assert.throws(() => mapHealth(simulated), {
    code: 'refused',
    message: /made-up and real prices/,
  });
});

test('another body is not that of a Pizarra', () => {
  for (const value of [{}, [], { instancia: 7 }, { instancia: 'x'.repeat(65) }]) {
    assert.throws(() => mapHealth(value), {
      code: 'unintelligible',
      message: /not that of a Pizarra/,
    });
  }
});
