import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { exchangeRaw } from '../../support/http/raw-http.ts';
import { startTestServer, testNow, type TestAnswer } from '../../support/http/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

function get(authorization: string | null): Promise<TestAnswer> {
  return server.get('/cotizaciones?especie=GGAL', { authorization });
}

test('contract 5.2: without the header, or with another scheme, the response is 401 and its challenge has only the scheme', async () => {
  for (const header of [null, 'Basic dXNlcjpwYXNz', 'Bearer', server.key, `Token ${server.key}`]) {
    const answer = await get(header);
    assert.equal(answer.status, 401);
    assert.equal(answer.header('www-authenticate'), 'Bearer realm="pizarra"');
    assert.match(answer.body, /Falta la clave/);
  }
});

test('contract 5.2: an invalid key gets 401, and the response does not say why', async () => {
  const revoked = await server.issue({});
  await server.revoke(revoked);
  const expired = await server.issue({ expiresAt: testNow });
  const other = await server.issue({ scope: 'ingest' });
  const mistyped = `${server.key.slice(0, -1)}${server.key.endsWith('0') ? '1' : '0'}`;
  const bodies = new Set<string>();
  for (const key of [mistyped, 'x', revoked, expired, other, `${server.key} ${server.key}`]) {
    const answer = await get(`Bearer ${key}`);
    assert.equal(answer.status, 401);
    if (!key.includes(' ')) {
      const challenge = answer.header('www-authenticate');
      assert.equal(challenge, 'Bearer realm="pizarra", error="invalid_token"');
      bodies.add(answer.body);
    }
  }
  assert.equal(bodies.size, 1);
});

test('contract 5.2: the key is checked first, also for unknown paths, other methods and bad parameters', async () => {
  const targets = [
    '/',
    '/nada',
    '/cotizaciones',
    '/cotizaciones?panel=X',
    '/%zz',
    '/historicos?%zz',
  ];
  for (const target of targets) {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
      const answer = await server.get(target, { method, authorization: null });
      assert.equal(answer.status, 401, `${method} ${target}`);
    }
  }
  const long = await server.get(`/cotizaciones?${'x'.repeat(17_000)}`, { authorization: null });
  assert.equal(long.status, 401);
});

test('contract 4.4.3: the OpenAPI document and the health check need no key', async () => {
  for (const path of ['/openapi.json', '/healthz']) {
    for (const method of ['GET', 'HEAD']) {
      assert.equal((await server.get(path, { method, authorization: null })).status, 200);
    }
  }
});

test('contract 4.4.3: a path that only resembles an open path needs a key', async () => {
  for (const target of ['/healthz/', '//healthz', '/healthz/../cotizaciones', '/HEALTHZ']) {
    const request = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    assert.equal((await exchangeRaw(server.port, request)).status, 401, target);
  }
});

test('no key is ever logged, however it was sent', async () => {
  await server.get(`/cotizaciones?especie=GGAL&api_key=${server.key}`);
  await get(`Basic ${server.key}`);
  assert.ok(server.logged.length > 0);
  assert.ok(!JSON.stringify(server.logged).includes(server.key));
});

test('the access log identifies the client by the id of its key', async () => {
  await using logging = await startTestServer({ accessLog: 'all' });
  await logging.get('/cotizaciones?especie=GGAL');
  const line = logging.logged.findLast(({ path }) => path === '/cotizaciones');
  const { keys } = await logging.store.keys.readAll();
  assert.equal(line?.['keyId'], keys[0]?.id);
  assert.equal(line?.['status'], 200);
});
