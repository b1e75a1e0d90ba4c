import assert from 'node:assert/strict';
import { test } from 'node:test';

import { StoreFault } from '../../../src/store/contract/store-fault.ts';
import { exchangeRaw } from '../../support/http/raw-http.ts';
import { StopPhase } from '../../../src/http/handler/stop-phase.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';

const historyTarget = '/historicos?especie=AL30&desde=2024-01-01&hasta=2024-12-31';

test('contract 4.5.1: an unknown path gets 404, also one with malformed percent-encoding', async () => {
  await using server = await startTestServer();
  const encoded = ['/%zz', '/cotizaciones%2Fstream', '/cotizaciones%3Fpanel=LID'];
  for (const path of [
    '/',
    '/nada',
    '/cotizaciones/',
    '/COTIZACIONES',
    '//cotizaciones',
    // Names of properties that every object inherits.
    '/__proto__',
    '/constructor',
    ...encoded,
  ]) {
    assert.equal((await server.get(path)).status, 404, path);
  }
});

test('contract 7.1: what a store that does not respond should give gets 503 with Retry-After, and the rest is served', async () => {
  await using base = await startTestServer();
  const { history } = base.store;
  for (const code of ['unavailable', 'busy'] as const) {
    const failing = {
      readSeries: () => Promise.reject(new StoreFault(code, 'postgres://db is down')),
      readBars: history.readBars.bind(history),
      countCloses: history.countCloses.bind(history),
    };
    await using server = await startTestServer({ history: failing });
    const answer = await server.get(historyTarget);
    assert.equal(answer.status, 503, code);
    assert.match(answer.header('retry-after') ?? '', /^\d+$/);
    assert.ok(!answer.body.includes('postgres'));
    assert.equal((await server.get('/cotizaciones?panel=LID')).status, 200);
    assert.ok(server.logged.every(({ level }) => level !== 'error'));
  }
});

test('contract 7.1: keys that the store has not confirmed for too long get 503, and paths without a key are served', async () => {
  await using server = await startTestServer();
  assert.equal((await server.get('/cotizaciones?panel=LID')).status, 200);
  server.keyRing.isUnconfirmed = true;
  const answer = await server.get('/cotizaciones?panel=LID');
  assert.equal(answer.status, 503);
  assert.match(answer.header('retry-after') ?? '', /^\d+$/);
  assert.equal((await server.get('/healthz')).status, 200);
  server.keyRing.isUnconfirmed = false;
  assert.equal((await server.get('/cotizaciones?panel=LID')).status, 200);
});

test('contract 7.1: a server at the end of its stop responds 503 with Retry-After and closes the connection', async () => {
  const phase = new StopPhase();
  await using server = await startTestServer({ phase });
  assert.equal((await server.get('/healthz')).status, 200);
  phase.close();
  const answer = await server.get('/cotizaciones?panel=LID');
  assert.equal(answer.status, 503);
  assert.match(answer.header('retry-after') ?? '', /^\d+$/);
  assert.equal(answer.header('connection'), 'close');
});

test('every response has the standard headers, and none names the software of the server', async () => {
  await using server = await startTestServer({ headers: { 'data-source': 'simulated' } });
  for (const target of ['/cotizaciones?panel=LID', '/nada', '/cotizaciones', '/healthz']) {
    const answer = await server.get(target);
    assert.equal(answer.header('x-content-type-options'), 'nosniff');
    assert.equal(answer.header('cache-control'), 'private, no-cache');
    assert.equal(answer.header('data-source'), 'simulated');
    assert.equal(answer.header('server'), undefined);
    assert.equal(answer.header('x-powered-by'), undefined);
  }
  const broken = await exchangeRaw(server.port, 'nonsense\r\n\r\n');
  assert.equal(broken.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(broken.headers.get('server'), undefined);
});
