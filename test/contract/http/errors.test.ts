import assert from 'node:assert/strict';
import { test } from 'node:test';

import { StoreFault } from '../../../src/store/contract/store-fault.ts';
import { exchangeRaw, sendRaw } from '../../support/http/raw-http.ts';
import { StopPhase } from '../../../src/http/handler/stop-phase.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';
import { deferred } from '../../support/wait.ts';

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
    ...encoded,
  ]) {
    assert.equal((await server.get(path)).status, 404, path);
  }
});

test('contract 4.5.1: another method gets 405 with Allow, and its body is never read', async () => {
  await using server = await startTestServer();
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE']) {
    const answer = await server.get('/cotizaciones?panel=LID', { method });
    assert.equal(answer.status, 405, method);
    assert.equal(answer.header('allow'), 'GET, HEAD');
    assert.ok(answer.body.includes(method));
  }
  const body = '{"not": "read"}';
  const headers = { 'content-type': 'application/x-unheard-of' };
  const answer = await server.get('/historicos', { method: 'POST', body, headers });
  assert.equal(answer.status, 405);
});

test('contract 4.5.1: the response to HEAD is that to GET without the body', async () => {
  await using server = await startTestServer();
  const targets = ['/cotizaciones?panel=LID', '/cotizaciones?panel=X', historyTarget, '/nada'];
  // A compressed body is made in the background, perhaps between the two requests.
  const headers = { 'accept-encoding': 'identity' };
  for (const target of [...targets, '/especies.txt', '/openapi.json', '/healthz']) {
    const get = await server.get(target, { headers });
    const head = await server.get(target, { headers, method: 'HEAD' });
    assert.equal(head.status, get.status);
    assert.equal(head.body, '');
    for (const name of ['content-type', 'content-length', 'missing-especies', 'cache-control']) {
      assert.equal(head.header(name), get.header(name), `${name} of ${target}`);
    }
  }
});

test('contract 7.1, 2.3.2: an internal failure gets 500 without internal details, and the log has them', async () => {
  const secret = '/var/lib/pizarra/pizarra.db is on fire';
  await using base = await startTestServer();
  const { history } = base.store;
  const failing = {
    readSeries: () => Promise.reject(new StoreFault('corrupt', secret)),
    readBars: history.readBars.bind(history),
    countCloses: history.countCloses.bind(history),
  };
  await using server = await startTestServer({ history: failing });
  const answer = await server.get(historyTarget);
  assert.equal(answer.status, 500);
  assert.ok(!answer.body.includes('pizarra'));
  const line = server.logged.find(({ level }) => level === 'error');
  assert.equal((line?.['err'] as Error | undefined)?.message, secret);
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

test('contract 7.2: a response that is under way is completed while the server stops', async () => {
  await using base = await startTestServer();
  const { history } = base.store;
  const asked = deferred<void>();
  const release = deferred<void>();
  const slow = {
    readSeries: async (...args: Parameters<typeof history.readSeries>) => {
      asked.resolve();
      await release.promise;
      return history.readSeries(...args);
    },
    readBars: history.readBars.bind(history),
    countCloses: history.countCloses.bind(history),
  };
  const server = await startTestServer({ history: slow });
  const answer = server.get(historyTarget);
  await asked.promise;
  const stopped = server[Symbol.asyncDispose]();
  release.resolve();
  assert.equal((await answer).status, 200);
  await stopped;
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

test('a request after a refused one on the same connection gets a response', async () => {
  await using server = await startTestServer();
  const head = `Host: x\r\nAuthorization: Bearer ${server.key}\r\n`;
  const text = await sendRaw(
    server.port,
    `GET /nada HTTP/1.1\r\n${head}\r\n` +
      `GET /cotizaciones?panel=X HTTP/1.1\r\n${head}\r\n` +
      `GET /cotizaciones?especie=GGAL HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
  );
  assert.deepEqual(
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]),
    ['404', '400', '200'],
  );
});
