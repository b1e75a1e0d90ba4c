import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';

import { generateKey } from '../../../src/auth/api-key.ts';
import { RatePlans, type RatePlanTable } from '../../../src/auth/rate-plans.ts';
import { RateLimits } from '../../../src/http/admission/rate-limits.ts';
import { addressRanges } from '../../../src/lib/network/address-ranges.ts';
import { StoreFault } from '../../../src/store/contract/store-fault.ts';
import { contractPaths } from '../../support/http/contract-paths.ts';
import { parseAnswer, sendRaw } from '../../support/http/raw-http.ts';
import {
  startTestServer,
  testNow,
  type TestAnswer,
  type TestServer,
} from '../../support/http/start-test-server.ts';

/** Keys in URLs: contract 5.5. */

const quotes = '/cotizaciones?panel=LID';
const expiresAt = testNow + 86_400_000;

const on = await startTestServer({ urlKeys: true, accessLog: 'all' });
const off = await startTestServer();
after(async () => {
  await on[Symbol.asyncDispose]();
  await off[Symbol.asyncDispose]();
});

function issueUrlKey(server: TestServer): Promise<string> {
  return server.issue({ scope: 'url', expiresAt });
}

/** Requests a path below a key, by default without a key in the header. */
function askWith(
  server: TestServer,
  key: string,
  target: string,
  options: Parameters<TestServer['get']>[1] = {},
): Promise<TestAnswer> {
  return server.get(`/clave/${key}${target}`, { authorization: null, ...options });
}

function assertPrivate(answer: TestAnswer, what: string): void {
  assert.equal(answer.header('cache-control'), 'private, no-store', what);
  assert.equal(answer.header('referrer-policy'), 'no-referrer', what);
  assert.equal(answer.header('x-robots-tag'), 'noindex', what);
}

/** The paths that a key in the URL opens. Of every other path the key is told nothing. */
const opened = new Set(
  contractPaths
    .filter(({ path, isTable }) => (isTable && path !== '/cambios') || path.startsWith('/udf/'))
    .map(({ path }) => path),
).add('/especies.txt');

test('contract 5.5: each path that a key in the URL opens has the status, body and ETag that it has with a header, also for HEAD and below a base path', async () => {
  await using based = await startTestServer({ urlKeys: true, basePath: '/v5' });
  for (const [server, basePath] of [
    [on, ''],
    [based, '/v5'],
  ] as const) {
    const key = await issueUrlKey(server);
    for (const { path, target } of contractPaths) {
      if (!opened.has(path)) continue;
      for (const method of ['GET', 'HEAD']) {
        const below = `${basePath}/clave/${key}${target}`;
        const byUrl = await server.get(below, { method, authorization: null });
        const byHeader = await server.get(basePath + target, { method });
        assert.equal(byUrl.status, 200, `${method} ${path}`);
        assert.equal(byUrl.body, byHeader.body, path);
        assert.equal(byUrl.header('etag'), byHeader.header('etag'), path);
        assertPrivate(byUrl, path);
        assert.equal(byHeader.header('cache-control'), 'private, no-cache', path);
        assert.equal(byHeader.header('x-robots-tag'), undefined, path);
      }
    }
  }
  assert.deepEqual(
    contractPaths.map(({ path }) => path).filter((path) => opened.has(path)).length,
    opened.size,
  );
});

test('contract 5.5: every other path is 404 below a good key, the stream, the pages and the open paths included', async () => {
  const key = await issueUrlKey(on);
  const others = contractPaths.filter(({ path }) => !opened.has(path)).map(({ target }) => target);
  assert.ok(others.some((target) => target.startsWith('/cotizaciones/stream')));
  for (const target of [...others, '', '/', '/nada', '/clave', `/clave/${key}${quotes}`]) {
    const answer = await askWith(on, key, target);
    assert.equal(answer.status, 404, target);
    assert.ok(!answer.body.includes(key.slice(4)), answer.body);
    assertPrivate(answer, target);
  }
});

test('contract 5.5: another method is 405 on a path that the key opens, and 404 elsewhere', async () => {
  const key = await issueUrlKey(on);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const answer = await askWith(on, key, quotes, { method });
    assert.equal(answer.status, 405, method);
    assert.equal(answer.header('allow'), 'GET, HEAD');
    assertPrivate(answer, method);
    assert.equal((await askWith(on, key, '/cotizaciones/stream', { method })).status, 404);
  }
});

test('contract 5.5: anything but a good key for URLs is 401, whatever path or method, and the response does not say why', async () => {
  const revoked = await issueUrlKey(on);
  await on.revoke(revoked);
  const good = await issueUrlKey(on);
  const bad = {
    revoked,
    expired: await on.issue({ scope: 'url', expiresAt: testNow }),
    unknown: generateKey(randomBytes, 'url'),
    mistyped: `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
    'of the header': on.key,
    'of another scope': await on.issue({ scope: 'ingest' }),
    empty: '',
    text: 'x',
    encoded: '%zz',
  };
  const bodies = new Set<string>();
  for (const [what, key] of Object.entries(bad)) {
    for (const target of [quotes, '/nada', '/healthz', '/cotizaciones/stream?panel=LID']) {
      for (const method of ['GET', 'POST']) {
        const answer = await askWith(on, key, target, { method });
        assert.equal(answer.status, 401, `${what} ${method} ${target}`);
        const challenge = answer.header('www-authenticate');
        assert.equal(challenge, 'Bearer realm="pizarra", error="invalid_token"');
        assertPrivate(answer, what);
        bodies.add(answer.body);
      }
    }
  }
  assert.equal(bodies.size, 1);
});

test('contract 5.5: a key for URLs is not valid in the header, and a key in the header beside it makes it invalid', async () => {
  const key = await issueUrlKey(on);
  for (const path of [quotes, '/nada']) {
    const inHeader = await on.get(path, { authorization: `Bearer ${key}` });
    assert.equal(inHeader.status, 401);
  }
  for (const beside of [on.key, key, 'x']) {
    const both = await askWith(on, key, quotes, { authorization: `Bearer ${beside}` });
    assert.equal(both.status, 401, beside);
    assertPrivate(both, beside);
  }
  // Another scheme has no key, such as that of a proxy with a password.
  const basic = await askWith(on, key, quotes, { authorization: 'Basic dXNlcjpwYXNz' });
  assert.equal(basic.status, 200);
});

test('contract 5.5: while keys in URLs are off, a path with one is 401 without a key in the header, and 404 with one', async () => {
  const key = await issueUrlKey(off);
  const without = await askWith(off, key, quotes);
  assert.equal(without.status, 401);
  assert.equal(without.header('www-authenticate'), 'Bearer realm="pizarra"');
  const unknown = await off.get(`/clave/${key}${quotes}`);
  assert.equal(unknown.status, 404);
  for (const answer of [without, unknown]) {
    assert.ok(!answer.body.includes(key.slice(4)), answer.body);
    assertPrivate(answer, answer.body);
  }
  assert.ok(!JSON.stringify(off.logged).includes(key.slice(4)));
});

test('no key in a path is ever logged or shown, in any spelling and at any place of it', async () => {
  await using server = await startTestServer({ urlKeys: true, accessLog: 'all' });
  const keys = [await issueUrlKey(server), server.key, await server.issue({ scope: 'ingest' })];
  const bodies: string[] = [];
  for (const key of keys) {
    const encoded = key.replace('_', '%5F');
    for (const path of [
      `/clave/${key}/cotizaciones`,
      `/clave/${key}`,
      `/clave/${key}/`,
      `/clave//${key}/cotizaciones`,
      `//clave/${key}/cotizaciones`,
      `/CLAVE/${key}/cotizaciones`,
      `/%63lave/${key}/cotizaciones`,
      `/clave/${encoded}/cotizaciones`,
      `/nada/${encoded}`,
      `/clave/${key}/%zz`,
      `/%zz/clave/${encoded}/x`,
      `/v5/clave/${key}/cotizaciones`,
      `/cotizaciones/${key}`,
      `/clave/x${key}/cotizaciones`,
      `/clave/${key.slice(0, -1)}/cotizaciones`,
      `/clave/${key}?clave=${key}`,
      `/cotizaciones?panel=LID&clave=${key}`,
    ]) {
      for (const authorization of [null, `Bearer ${server.key}`]) {
        bodies.push((await server.get(path, { authorization })).body);
      }
    }
  }
  const shown = JSON.stringify(server.logged) + bodies.join('');
  for (const key of keys) assert.ok(!shown.includes(key.slice(4, 30)), shown);
});

test('the access log and the metrics have the path below the key, and the id of the key', async () => {
  const routes: string[] = [];
  const observer = {
    answered: ({ route }: { readonly route: string }) => void routes.push(route),
    keyRefused: () => undefined,
  };
  await using server = await startTestServer({ urlKeys: true, accessLog: 'all', observer });
  const key = await issueUrlKey(server);
  await askWith(server, key, quotes);
  const { keys } = await server.store.keys.readAll();
  const line = server.logged.findLast(({ message }) => message === 'answered');
  assert.deepEqual([line?.['path'], line?.['keyId']], ['/cotizaciones', keys.at(-1)?.id]);
  assert.deepEqual(routes, ['/cotizaciones']);
});

/** The lines about keys in a wrong place: the id of each key, and the beginning of the message. */
function misplaced({ logged }: TestServer) {
  return logged
    .filter(({ level }) => level === 'warn')
    .map(({ keyId, message }) => [keyId, String(message).split(':')[0]]);
}

test('a good key in a wrong place is logged by its id, once an hour, and a wrong one is not', async () => {
  await using server = await startTestServer({ urlKeys: true });
  await using closed = await startTestServer();
  const [urlKey, ingest] = [await issueUrlKey(server), await server.issue({ scope: 'ingest' })];
  const ids = (await server.store.keys.readAll()).keys.map(({ id }) => id);
  const [readId, urlId, ingestId] = ids;
  for (let count = 0; count < 3; count += 1) {
    await askWith(server, server.key, quotes);
    await askWith(server, ingest, quotes);
    await askWith(server, generateKey(randomBytes), quotes);
    await server.get(quotes, { authorization: `Bearer ${urlKey}` });
    await server.get(`${quotes}&clave=${urlKey}`, { authorization: null });
    await askWith(server, urlKey, quotes, { authorization: `Bearer ${server.key}` });
  }
  const inUrl = 'API key sent in a URL, where others can read it';
  assert.deepEqual(misplaced(server), [
    [readId, inUrl],
    [ingestId, inUrl],
    [urlId, 'key for URLs sent in the header Authorization'],
    [urlId, 'key for URLs sent elsewhere in a URL than after /clave/, where it is not valid'],
  ]);
  const refused = await issueUrlKey(closed);
  await askWith(closed, refused, quotes);
  const closedId = (await closed.store.keys.readAll()).keys.at(-1)?.id;
  assert.deepEqual(misplaced(closed), [[closedId, 'key for URLs refused']]);
  await closed.get(`/nada?clave=${closed.key}`, { authorization: null });
  assert.equal(misplaced(closed).at(-1)?.[1], inUrl);
  // A good key in the header does not hide one in the path.
  const other = await closed.issue({});
  const otherId = (await closed.store.keys.readAll()).keys.at(-1)?.id;
  assert.equal((await closed.get(`/clave/${other}${quotes}`)).status, 404);
  assert.deepEqual(misplaced(closed).at(-1), [otherId, inUrl]);
});

test('a good key in a path that does not exist is logged by its id, also if another key admits the request', async () => {
  await using server = await startTestServer({ urlKeys: true });
  const [urlKey, inUnknown, belowKey] = [
    await issueUrlKey(server),
    await server.issue({}),
    await server.issue({}),
  ];
  const [, , unknownId, belowId] = (await server.store.keys.readAll()).keys.map(({ id }) => id);
  assert.equal((await server.get(`/nada/${inUnknown}/x`)).status, 404);
  assert.equal((await askWith(server, urlKey, `/${belowKey}/x`)).status, 404);
  assert.deepEqual(
    misplaced(server).map(([id]) => id),
    [unknownId, belowId],
  );
});

/** Starts a server with limits. */
async function startLimited(table: RatePlanTable, failures?: RatePlanTable['urlKeyLimit']) {
  const rateLimits = new RateLimits({ plans: new RatePlans(table), failures });
  return startTestServer({ urlKeys: true, rateLimits });
}

test('contract 5.5: a key for URLs has the limit of such keys, even if keys without a plan are not limited', async () => {
  const plans = new Map([['inside', 'unlimited' as const]]);
  await using server = await startLimited({ plans, defaultPlan: 'inside' });
  const key = await issueUrlKey(server);
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1) {
    const answer = await askWith(server, key, '/mercados');
    assert.equal(answer.header('ratelimit-policy'), '"url";q=30;w=30');
    assertPrivate(answer, '429');
    statuses.push(answer.status);
  }
  assert.deepEqual(statuses, [...Array<number>(30).fill(200), 429]);
  assert.equal((await server.get(quotes)).header('ratelimit-policy'), undefined);
});

test('contract 5.5: thirteen requests a minute, what a chart needs, are never refused', async () => {
  let now = testNow;
  const rateLimits = new RateLimits({ plans: new RatePlans({ plans: new Map() }) });
  const clock = { now: () => now, monotonic: () => 0 };
  await using server = await startTestServer({ urlKeys: true, rateLimits, clock });
  const key = await issueUrlKey(server);
  for (let count = 0; count < 13 * 20; count += 1) {
    // All of a minute at once, the worst case.
    if (count % 13 === 0) now += 60_000;
    assert.equal((await askWith(server, key, '/mercados')).status, 200, `${count}`);
  }
});

test('contract 6.2: refusals of keys in URLs count as failures of the address', async () => {
  const failures = { requests: 3, seconds: 3_600, burst: 3 };
  await using server = await startLimited({ plans: new Map() }, failures);
  const key = await issueUrlKey(server);
  const asks = [
    () => askWith(server, 'x', quotes),
    () => askWith(server, server.key, quotes),
    () => askWith(server, key, quotes, { authorization: `Bearer ${server.key}` }),
    () => askWith(server, 'x', quotes),
  ];
  const statuses: number[] = [];
  for (const ask of asks) {
    const answer = await ask();
    statuses.push(answer.status);
    assertPrivate(answer, String(answer.status));
  }
  assert.deepEqual(statuses, [401, 401, 401, 429]);
  assert.equal((await askWith(server, key, quotes)).status, 200, 'a good key is not affected');
});

test('contract 5.5: responses of every status say that the URL is private', async () => {
  const key = await issueUrlKey(on);
  const { body: _, ...whole } = await askWith(on, key, quotes);
  const etag = whole.header('etag') ?? '';
  const unchanged = await askWith(on, key, quotes, { headers: { 'if-none-match': etag } });
  assert.equal(unchanged.status, 304);
  assertPrivate(unchanged, '304');
  const wrong = await askWith(on, key, '/cotizaciones?panel=NADA');
  assert.equal(wrong.status, 400);
  assertPrivate(wrong, '400');
  const headers = { 'accept-encoding': 'identity;q=0, *;q=0' };
  const unacceptable = await askWith(on, key, quotes, { headers });
  assert.equal(unacceptable.status, 406);
  assertPrivate(unacceptable, '406');
  const long = await askWith(on, key, `${quotes}&x=${'x'.repeat(17_000)}`);
  assert.equal(long.status, 414);
  assertPrivate(long, '414');

  for (const [error, status] of [
    [new Error('a defect'), 500],
    [new StoreFault('unavailable', 'the database does not respond'), 503],
  ] as const) {
    const read = async (): Promise<never> => {
      throw error;
    };
    const history = { readSeries: read, readBars: read, countCloses: read };
    await using server = await startTestServer({ urlKeys: true, history });
    const own = await issueUrlKey(server);
    const series = '/historicos?especie=GGAL&desde=2024-01-01&hasta=2024-12-31';
    const failed = await askWith(server, own, series);
    assert.equal(failed.status, status);
    assertPrivate(failed, String(status));
    assert.ok(!JSON.stringify(server.logged).includes(own.slice(4)));
    server.keyRing.isUnconfirmed = true;
    const unconfirmed = await askWith(server, own, quotes);
    assert.equal(unconfirmed.status, 503);
    assertPrivate(unconfirmed, 'unconfirmed');
  }

  const transport = { plainPeers: addressRanges(['192.0.2.1']) };
  await using strict = await startTestServer({ urlKeys: true, transport });
  const plain = await askWith(strict, await issueUrlKey(strict), quotes);
  assert.equal(plain.status, 403);
  assertPrivate(plain, '403');
});

/** Sends bytes that the server refuses to read as a request. */
async function sendUnread({ port }: TestServer, bytes: string): Promise<TestAnswer> {
  const text = await sendRaw(port, bytes);
  // It is the last response of the connection.
  const { status, headers, body } = parseAnswer(text.slice(text.lastIndexOf('HTTP/1.1 ')));
  return { status, body, header: (name) => headers.get(name), json: () => JSON.parse(body) };
}

test('contract 5.5: the response to a request that cannot be read says that the URL is private, unless its path has no key', async () => {
  const key = await issueUrlKey(on);
  const path = `/clave/${key}${quotes}`;
  const end = ' HTTP/1.1\r\nHost: x\r\n';
  const long = 'x'.repeat(40_000);
  for (const [bytes, status] of [
    [`GET ${path}\u00ff${end}\r\n`, 400],
    [`GET ${path} x${end}\r\n`, 400],
    [`\r\nGET ${path}${end}a\r\n\r\n`, 400],
    [`GET http://x${path} x\r\n\r\n`, 400],
    [`GET ${quotes}${end}\r\nGET ${path} x${end}\r\n`, 400],
    // No path can be read, so it may have a key.
    [`\0${path}\r\n\r\n`, 400],
    [`GET ${path}&x=${long}${end}\r\n`, 414],
    [`GET ${path}${end}X: ${long}\r\n\r\n`, 431],
  ] as const) {
    const answer = await sendUnread(on, bytes);
    assert.equal(answer.status, status, bytes);
    assertPrivate(answer, bytes);
  }
  for (const [server, bytes] of [
    [on, `GET ${quotes} x${end}\r\n`],
    [on, `GET ${quotes}${end}X: ${long}\r\n\r\n`],
    [off, `GET ${path} x${end}\r\n`],
    [off, '\0\r\n\r\n'],
  ] as const) {
    const answer = await sendUnread(server, bytes);
    assert.ok(answer.status >= 400);
    assert.equal(answer.header('cache-control'), 'private, no-cache', bytes);
    assert.equal(answer.header('x-robots-tag'), undefined);
  }
});
