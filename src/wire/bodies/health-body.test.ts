import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { MarketState } from '../../domain/calendar/market-state.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { healthJson } from './health-body.ts';

const now = Date.parse('2026-11-20T15:00:00Z');

test('the state of the service has its instance, its prices, its time and each market', () => {
  const market: MarketState = {
    code: 'BYMA',
    name: 'Bolsas y Mercados Argentinos',
    state: 'open',
    sessionDate: '2026-11-20' as PlainDate,
    changesAt: now + 1,
  };
  const body = healthJson({ now, instance: 'abc', markets: [market], isSimulated: false });
  assert.deepEqual(JSON.parse(body), {
    estado: 'ok',
    instancia: 'abc',
    datos: 'reales',
    ahora: '2026-11-20T15:00:00.000Z',
    mercados: [
      {
        codigo: 'BYMA',
        nombre: 'Bolsas y Mercados Argentinos',
        estado: 'abierto',
        rueda: '2026-11-20',
        cambia: '2026-11-20T15:00:00.001Z',
      },
    ],
  });
});

test('an outage of all sources is reported with its reason, in Spanish', () => {
  const known = { now, instance: 'abc', markets: [], isSimulated: false };
  assert.match(
    healthJson({ ...known, sources: { outage: 'name', stale: [] } }),
    /"sinFuentes":"nombre"/,
  );
  assert.doesNotMatch(healthJson(known), /sinFuentes/);
});

test('simulated prices are reported as such', () => {
  const body = healthJson({ now, instance: 'abc', markets: [], isSimulated: true });
  assert.equal((JSON.parse(body) as { readonly datos: string }).datos, 'simulados');
});

test('each stale source is reported with its open markets and the instant of its last price', () => {
  const known = { now, instance: 'abc', markets: [], isSimulated: false };
  const stale = [
    { name: 'mesa', markets: ['BYMA', 'NYSE'], lastPriceAt: now - 1_980_000 },
    { name: 'otra', markets: ['CRIPTO'] },
  ];
  const { estado, fuentesAtrasadas } = JSON.parse(healthJson({ ...known, sources: { stale } }));
  assert.equal(estado, 'ok');
  assert.deepEqual(fuentesAtrasadas, [
    { fuente: 'mesa', mercados: ['BYMA', 'NYSE'], desde: '2026-11-20T14:27:00.000Z' },
    { fuente: 'otra', mercados: ['CRIPTO'], desde: null },
  ]);
  assert.doesNotMatch(healthJson({ ...known, sources: { stale: [] } }), /fuentesAtrasadas/);
});
