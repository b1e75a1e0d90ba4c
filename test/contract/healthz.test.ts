import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startTestServer, testNow } from '../support/http/start-test-server.ts';

interface Health {
  readonly datos: string;
  readonly ahora: string;
  readonly mercados: readonly { readonly codigo: string; readonly [field: string]: string }[];
}

test('the health check has the state of every market and the instant at which it changes', async () => {
  await using server = await startTestServer();
  const health = (await server.get('/healthz')).json() as Health;
  assert.equal(health.ahora, new Date(testNow).toISOString());
  const [byma, nyse, crypto] = health.mercados;
  // It is 17:00 in Buenos Aires, exactly when BYMA closes. Its next session is on Tuesday, after a
  // holiday. New York closes in an hour.
  assert.deepEqual(byma, {
    codigo: 'BYMA',
    nombre: 'Bolsas y Mercados Argentinos',
    estado: 'cerrado',
    rueda: '2026-11-20',
    cambia: '2026-11-24T13:30:00.000Z',
  });
  assert.equal(nyse?.['estado'], 'abierto');
  assert.equal(nyse?.['cambia'], '2026-11-20T21:00:00.000Z');
  assert.equal(crypto?.['estado'], 'abierto');
});

test('simulated prices are labelled in the health check and in every response', async () => {
  await using simulated = await startTestServer({ dataSource: 'simulated' });
  assert.equal(((await simulated.get('/healthz')).json() as Health).datos, 'simulados');
  for (const target of ['/cotizaciones?panel=LID', '/cotizaciones', '/nada', '/openapi.json']) {
    assert.equal((await simulated.get(target)).header('data-source'), 'simulated', target);
  }
  await using real = await startTestServer();
  const answer = await real.get('/healthz');
  assert.equal((answer.json() as Health).datos, 'reales');
  assert.equal(answer.header('data-source'), undefined);
});

test('contract 7.5: a stale source is named, and the health stays ok', async () => {
  const stale = [
    { name: 'mesa', markets: ['BYMA'], lastPriceAt: testNow - 1_980_000 },
    { name: 'otra', markets: ['BYMA', 'NYSE'] },
  ];
  await using server = await startTestServer({ sources: () => ({ stale }) });
  const answer = await server.get('/healthz', { authorization: null });
  const { estado, fuentesAtrasadas } = answer.json() as Record<string, unknown>;
  assert.deepEqual([answer.status, estado], [200, 'ok']);
  assert.deepEqual(fuentesAtrasadas, [
    { fuente: 'mesa', mercados: ['BYMA'], desde: '2026-11-20T19:27:00.000Z' },
    { fuente: 'otra', mercados: ['BYMA', 'NYSE'], desde: null },
  ]);
});

test('contract 7.3: a node that is behind the others responds 503 to the health check, with the health as its body', async () => {
  let behind = true;
  await using server = await startTestServer({ dataAgeMs: () => 14_210, isBehind: () => behind });
  const refused = await server.get('/healthz', { authorization: null });
  assert.equal(refused.status, 503);
  assert.match(refused.header('retry-after') ?? '', /^\d+$/);
  const body = refused.json() as Record<string, unknown>;
  assert.deepEqual([body['estado'], body['edadMs'], 'error' in body], ['atrasado', 14_210, false]);
  assert.equal((await server.get('/healthz', { method: 'HEAD' })).status, 503);
  assert.equal((await server.get('/cotizaciones?panel=LID')).status, 200, 'others are served');
  behind = false;
  const again = await server.get('/healthz');
  assert.equal(again.status, 200);
  assert.equal((again.json() as Record<string, unknown>)['estado'], 'ok');
});
