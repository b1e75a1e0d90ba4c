import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { exchangeRaw } from '../support/http/raw-http.ts';
import { startTestServer } from '../support/http/start-test-server.ts';

const origin = 'https://desk.example';
const open = await startTestServer({ corsOrigins: [origin, 'http://localhost:5173'] });
const closed = await startTestServer();
after(async () => {
  await open[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

const corsHeaders = ['access-control-allow-origin', 'access-control-expose-headers'];

test('without configured origins, responses have no CORS headers, and a preflight needs a key', async () => {
  const answer = await closed.get('/cotizaciones?panel=LID', { headers: { origin } });
  for (const name of corsHeaders) assert.equal(answer.header(name), undefined);
  assert.doesNotMatch(answer.header('vary') ?? '', /origin/i);
  const preflight = await closed.get('/cotizaciones', {
    method: 'OPTIONS',
    authorization: null,
    headers: { origin, 'access-control-request-method': 'GET' },
  });
  assert.equal(preflight.status, 401);
});

test('a script of a configured origin can read responses, errors and their headers', async () => {
  const asked: readonly (readonly [number, string, string | undefined])[] = [
    [200, '/cotizaciones?panel=LID', undefined],
    [200, '/historicos?especie=GGAL&desde=2026-01-01&hasta=2026-12-31', undefined],
    [200, '/healthz', undefined],
    [400, '/cotizaciones', undefined],
    [404, '/nada', undefined],
    [401, '/cotizaciones?panel=LID', 'Bearer wrong'],
  ];
  for (const [status, target, authorization] of asked) {
    const answer = await open.get(target, {
      headers: { origin },
      ...(authorization === undefined ? {} : { authorization }),
    });
    assert.equal(answer.status, status);
    assert.equal(answer.header('access-control-allow-origin'), origin, target);
    assert.match(answer.header('vary') ?? '', /\bOrigin\b/);
    for (const name of [
      'conocido-desde',
      'missing-dividendos',
      'missing-especies',
      'ratelimit',
      'ratelimit-policy',
      'etag',
      'retry-after',
      'data-source',
    ]) {
      assert.ok(answer.header('access-control-expose-headers')?.split(', ').includes(name), name);
    }
  }
  const answer = await open.get('/cotizaciones?panel=LID', { headers: { origin } });
  assert.equal(answer.header('vary'), 'Accept, Accept-Encoding, Origin');
});

test('a preflight of a configured origin needs no key, because it cannot have one', async () => {
  const { status, headers } = await exchangeRaw(
    open.port,
    [
      'OPTIONS /cotizaciones?panel=LID HTTP/1.1',
      'Host: x',
      `Origin: ${origin}`,
      'Access-Control-Request-Method: GET',
      'Access-Control-Request-Headers: authorization,content-type',
      'Connection: close\r\n\r\n',
    ].join('\r\n'),
  );
  assert.equal(status, 204);
  assert.equal(headers.get('access-control-allow-origin'), origin);
  assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD');
  const allowed = headers.get('access-control-allow-headers')?.split(', ') ?? [];
  for (const name of ['authorization', 'content-type']) assert.ok(allowed.includes(name), name);
  assert.equal(headers.get('access-control-allow-credentials'), undefined);
  // A page in the public network may read a service in a private one.
  assert.equal(headers.get('access-control-allow-private-network'), 'true');
});

test('other origins, also similar ones, get no CORS headers', async () => {
  for (const one of [
    'https://desk.example.evil',
    'http://desk.example',
    'null',
    'https://DESK.example',
  ]) {
    const answer = await open.get('/cotizaciones?panel=LID', { headers: { origin: one } });
    for (const name of corsHeaders) assert.equal(answer.header(name), undefined, one);
    assert.match(answer.header('vary') ?? '', /\bOrigin\b/);
    const preflight = await open.get('/cotizaciones', {
      method: 'OPTIONS',
      authorization: null,
      headers: { origin: one, 'access-control-request-method': 'GET' },
    });
    assert.equal(preflight.status, 401);
  }
});
