import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RatePlans } from '../../../src/auth/rate-plans.ts';
import { RateLimits } from '../../../src/http/admission/rate-limits.ts';
import { StoreFault } from '../../../src/store/contract/store-fault.ts';
import { startTestServer, testNow, type TestAnswer } from '../../support/http/start-test-server.ts';

/** Fails unless a response is an error in the form that the adapter of the library shows to a person. */
function assertShown(answer: TestAnswer, status: number): void {
  assert.equal(answer.status, status);
  assert.equal(answer.header('content-type'), 'application/json; charset=utf-8');
  assert.equal(answer.header('content-length'), String(Buffer.byteLength(answer.body)));
  const body = answer.json() as Readonly<Record<string, string>>;
  assert.deepEqual(Object.keys(body), ['error', 's', 'errmsg']);
  assert.equal(body['s'], 'error');
  assert.equal(body['errmsg'], body['error']);
  assert.match(body['error'] ?? '', /^[A-Z].*\.$/);
}

test('contract 4.15.1: 400, 401, 404, 405 and 406 below /udf have the form of the library, with the fields of the other paths', async () => {
  for (const basePath of ['', '/v5']) {
    await using server = await startTestServer({ basePath });
    const at = `${basePath}/udf`;
    assertShown(await server.get(`${at}/history?symbol=GGAL`), 400);
    const missing = await server.get(`${at}/config`, { authorization: null });
    assertShown(missing, 401);
    assert.equal(missing.header('www-authenticate'), 'Bearer realm="pizarra"');
    assertShown(await server.get(`${at}/nada`, { authorization: 'Bearer pz_x' }), 401);
    for (const path of ['', '/', '/nada', '/marks', '/symbol_info']) {
      assertShown(await server.get(at + path), 404);
    }
    const posted = await server.get(`${at}/config`, { method: 'POST' });
    assertShown(posted, 405);
    assert.equal(posted.header('allow'), 'GET, HEAD');
    const headers = { 'accept-encoding': 'identity;q=0, *;q=0' };
    assertShown(await server.get(`${at}/time`, { headers }), 406);
    const head = await server.get(`${at}/nada`, { method: 'HEAD' });
    const whole = await server.get(`${at}/nada`);
    assert.equal(head.header('content-length'), whole.header('content-length'));
  }
});

test('contract 4.15.1: below a key in the URL, errors have the form of the library too', async () => {
  await using server = await startTestServer({ urlKeys: true });
  const key = await server.issue({ scope: 'url', expiresAt: testNow + 86_400_000 });
  const options = { authorization: null };
  assert.equal((await server.get(`/clave/${key}/udf/config`, options)).status, 200);
  for (const [target, status] of [
    [`/clave/${key}/udf/history?symbol=GGAL`, 400],
    [`/clave/${key}/udf/nada`, 404],
    [`/clave/${key}x/udf/config`, 401],
  ] as const) {
    assertShown(await server.get(target, options), status);
  }
});

test('contract 4.15.1: a path that only begins like /udf has the errors of the other paths', async () => {
  await using server = await startTestServer({ basePath: '/v5' });
  for (const path of ['/v5/udfs', '/udf/config', '/v5/cotizaciones/udf/x', '/v5/nada']) {
    const { status, body } = await server.get(path);
    assert.equal(status, 404);
    assert.doesNotMatch(body, /errmsg/);
  }
});

test('contract 4.15.1: 429 of a key and of an address have the form of the library and Retry-After', async () => {
  const limit = { requests: 1, seconds: 60, burst: 1 };
  const plans = new RatePlans({ plans: new Map([['free', limit]]), defaultPlan: 'free' });
  await using server = await startTestServer({
    rateLimits: new RateLimits({ plans, failures: limit }),
  });
  assert.equal((await server.get('/udf/config')).status, 200);
  for (const authorization of [undefined, null]) {
    const send = () =>
      server.get('/udf/config', authorization === undefined ? {} : { authorization });
    if (authorization === null) assertShown(await send(), 401);
    const refused = await send();
    assertShown(refused, 429);
    assert.match(refused.header('retry-after') ?? '', /^\d+$/);
    assert.match(refused.header('ratelimit') ?? '', /r=0/);
  }
});

test('contract 4.15.1: 500 and 503 have the form of the library, without internal details', async () => {
  for (const [status, fault] of [
    [500, new Error('disk on fire')],
    [503, new StoreFault('unavailable', 'gone')],
  ] as const) {
    const history = {
      readSeries: () => Promise.reject(fault),
      readBars: () => Promise.reject(fault),
      countCloses: () => Promise.reject(fault),
    };
    await using server = await startTestServer({ history });
    const answer = await server.get('/udf/history?symbol=GGAL&resolution=1D&from=0&to=1');
    assertShown(answer, status);
    assert.equal(answer.header('retry-after'), status === 503 ? '1' : undefined);
    assert.doesNotMatch(answer.body, /disk|gone/);
  }
});
