import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { issueKey } from '../../auth/issue-key.ts';
import { KeyRing } from '../../auth/key-ring.ts';
import { RatePlans } from '../../auth/rate-plans.ts';
import { addressRanges } from '../../lib/network/address-ranges.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { errorResponse } from '../../wire/texts/error-texts.ts';
import { AccessLogWriter } from '../handler/access-log.ts';
import { jsonDraft, type Response } from '../handler/response.ts';
import type { Request } from '../handler/request.ts';
import { RouteTable } from '../handler/route-table.ts';
import { StopPhase } from '../handler/stop-phase.ts';
import { RateLimits } from './rate-limits.ts';
import { admittingHandler, type AdmissionParts } from './steps.ts';

/** The rules of admission over a handler, without a server. */

const now = Date.parse('2026-11-20T20:00:00Z');
const clock = { now: () => now, monotonic: () => 0 };
const made = issueKey({ name: 'a', scope: 'read' }, { now, randomBytes });
const authorization = `Bearer ${made.key}`;
const origin = 'https://desk.example';

const table = new RouteTable(
  [
    { method: 'GET', path: '/a', scope: 'read', respond: () => jsonDraft('[]') },
    { method: 'GET', path: '/open', scope: undefined, respond: () => jsonDraft('{}') },
    {
      method: 'GET',
      path: '/health',
      scope: undefined,
      isHealthCheck: true,
      respond: () => jsonDraft('{}'),
    },
    { method: 'GET', path: '/stream', scope: 'read', isStream: true, respond: () => jsonDraft('') },
  ],
  '',
);

function start(parts: Partial<AdmissionParts> = {}) {
  const phase = new StopPhase();
  const handler = admittingHandler({
    table,
    keyRing: new KeyRing([made.record]),
    errors: errorResponse,
    log: silentLog,
    limits: { requestLineBytesMax: 200, requestHeadBytesMax: 400, keepAliveTimeoutMs: 0 },
    phase,
    clock,
    accessLog: new AccessLogWriter(silentLog, 'off'),
    observer: undefined,
    extraFields: {},
    ...parts,
  });
  const ask = async (own: Partial<Request> = {}): Promise<Response> =>
    handler.respond(requestOf(own));
  return { ask, phase };
}

function requestOf(own: Partial<Request>): Request {
  const headers = { host: 'x', authorization, ...own.headers };
  return {
    peer: { address: '192.0.2.1', isEncrypted: false },
    method: 'GET',
    target: '/a',
    version: '1.1',
    count: (name) => (name in headers ? 1 : 0),
    hasBody: false,
    keepsAlive: true,
    headBytes: undefined,
    body: undefined,
    head: undefined,
    ...own,
    headers,
  };
}

function fieldOf({ fields }: Response, name: string): string | undefined {
  const list = fields.flatMap((one) => one.list);
  const at = list.findIndex((one, place) => place % 2 === 0 && one === name);
  return at === -1 ? undefined : list[at + 1];
}

test('the rules apply in one order: a request that breaks them all meets them one by one', async () => {
  const { ask, phase } = start({
    plainPeers: addressRanges(['127.0.0.1']) ?? assert.fail(),
    corsOrigins: new Set([origin]),
  });
  const preflight = { origin, 'access-control-request-method': 'GET' };
  const worst: Partial<Request> = {
    method: 'OPTIONS',
    target: `/${'x'.repeat(300)}`,
    version: 'other',
    hasBody: true,
    headers: { host: 'x y', ...preflight, authorization: undefined },
  };
  phase.drain();
  phase.close();
  const seen: number[] = [];
  const see = async (own: Partial<Request>): Promise<Response> => {
    const response = await ask(own);
    seen.push(response.status);
    return response;
  };
  await see(worst);
  const local = { ...worst, peer: { address: '127.0.0.1', isEncrypted: false } };
  await see(local);
  const noPreflight = { ...local, headers: { host: 'x y', authorization: undefined } };
  assert.equal(fieldOf(await see(noPreflight), 'www-authenticate'), 'Bearer realm="pizarra"');
  await see({ ...local, headers: { host: 'x y', authorization: 'Bearer wrong' } });
  const known = { ...local, headers: { host: 'x y' } };
  await see(known);
  assert.deepEqual(seen, [403, 204, 401, 401, 503]);

  const serving = start();
  const rest: Partial<Request>[] = [
    known,
    { ...known, version: '1.1' },
    { ...known, version: '1.1', headers: {}, method: 'GET', target: '/a', headBytes: 500 },
    { method: 'GET', target: '/a', hasBody: true },
    { method: 'GET', target: `/a?${'x'.repeat(200)}` },
    { method: 'PUT', target: '/a', hasBody: true },
    { method: 'PUT', target: '/nada' },
    {},
  ];
  const statuses: number[] = [];
  for (const one of rest) statuses.push((await serving.ask(one)).status);
  assert.deepEqual(statuses, [400, 400, 431, 400, 414, 405, 404, 200]);
});

test('without a key nothing is learned but the open paths', async () => {
  const { ask } = start();
  for (const target of ['/a', '/nada', '/stream', '*']) {
    for (const method of ['GET', 'HEAD', 'POST', 'PLAY', 'x']) {
      const headers = { authorization: undefined };
      const { status, body } = await ask({ target, method, headers });
      assert.equal(status, 401);
      assert.doesNotMatch(String(body), /nada|GET/);
    }
  }
  const open = { target: '/open', headers: { authorization: undefined } };
  assert.equal((await ask(open)).status, 200);
  assert.equal((await ask({ ...open, method: 'POST' })).status, 401);
});

test('contract 4.5.1: an unknown path has the closest one in its text, but not itself', async () => {
  const { ask } = start();
  const textOf = async (target: string): Promise<string> => {
    const { status, body } = await ask({ target, headers: { host: 'x', authorization } });
    assert.equal(status, 404);
    return Buffer.from(body.join(''), 'latin1').toString();
  };
  assert.match(
    await textOf('/opne'),
    /La ruta «\/opne» no existe .* La más parecida es «\/open»\./,
  );
  assert.match(await textOf('/OPEN'), /La más parecida es «\/open»\./);
  assert.doesNotMatch(await textOf('/cotizaciones'), /parecida/);
});

test('each unknown path has its own text, also when it is asked for again', async () => {
  const { ask } = start({
    limits: { requestLineBytesMax: 400, requestHeadBytesMax: 800, keepAliveTimeoutMs: 0 },
  });
  const long = `/${'l'.repeat(300)}`;
  const bodyOf = async (target: string): Promise<string> =>
    (await ask({ target, headers: { host: 'x', authorization } })).body.join('');
  for (const path of ['/b', '/c', '/b', long, long, '/c']) {
    const expected = errorResponse('path-unknown', { path }).body;
    assert.equal(await bodyOf(path), Buffer.from(expected).toString('latin1'));
  }
});

test('RFC 9112: a message whose end is in doubt closes its connection, whatever the response', async () => {
  const { ask } = start();
  const doubtful: Partial<Request>[] = [
    { version: 'other' },
    { hasBody: true },
    { hasBody: true, headers: { 'transfer-encoding': 'gzip' } },
    { hasBody: true, headers: { 'transfer-encoding': 'chunked' }, version: '1.0' },
  ];
  for (const one of doubtful) {
    for (const own of [one, { ...one, headers: { ...one.headers, authorization: undefined } }]) {
      const { status, closes } = await ask(own);
      assert.ok(status >= 400);
      assert.equal(closes, true);
    }
  }
  assert.equal((await ask({ hasBody: true, version: '2' })).closes, false);
});

test('RFC 9112 3.2: exactly one Host that is a name or an address, and RFC 9113 8.3.1: it agrees', async () => {
  const { ask } = start();
  const statusOf = async (host: string, own: Partial<Request> = {}): Promise<number> =>
    (await ask({ ...own, headers: { host } })).status;
  for (const host of ['', 'x', 'x:80', 'x:', '127.0.0.1:8080', '[::1]:80', 'a-b.c_d~e', '%41']) {
    assert.equal(await statusOf(host), 200, host);
  }
  for (const host of ['x y', 'x/y', 'x,y', 'u@x', 'x:port', 'x:1:2', '[::1', 'http://x', 'é']) {
    assert.equal(await statusOf(host), 400, host);
  }
  assert.equal(await statusOf('x', { count: () => 2 }), 400);
  assert.equal((await ask({ version: '1.0', headers: { host: undefined } })).status, 200);
  assert.equal((await ask({ headers: { host: undefined } })).status, 400);
  const authority = (host: string) => ask({ version: '2', headers: { host, ':authority': 'x' } });
  assert.deepEqual([(await authority('x')).status, (await authority('y')).status], [200, 400]);
});

test('plain HTTP from other addresses is refused, but for a health check without a key', async () => {
  const plainPeers = addressRanges(['127.0.0.1']) ?? assert.fail();
  const { ask } = start({ plainPeers });
  const noKey = { headers: { authorization: undefined } };
  assert.equal((await ask({ target: '/open', ...noKey })).status, 403);
  assert.equal((await ask({ target: '/health', ...noKey })).status, 200);
  assert.equal((await ask({ target: '/health' })).status, 403);
  const peer = { address: '192.0.2.1', isEncrypted: true };
  const encrypted = await ask({ peer });
  assert.equal(encrypted.status, 200);
  assert.equal(fieldOf(encrypted, 'strict-transport-security'), 'max-age=31536000');
});

test('while a listener drains, streams get 503 and other requests are answered', async () => {
  const { ask, phase } = start();
  phase.drain();
  assert.equal((await ask({ target: '/stream' })).status, 503);
  assert.equal((await ask()).status, 200);
  phase.close();
  assert.equal(fieldOf(await ask(), 'retry-after'), '5');
});

function from(address: string): Partial<Request> {
  return { headers: { authorization: undefined, 'x-forwarded-for': address } };
}

test('failures are counted by address, and a valid key from the same address is not affected', async () => {
  const failures = { requests: 1, seconds: 3_600, burst: 1 };
  const plans = new RatePlans({ plans: new Map() });
  const proxies = addressRanges(['192.0.2.1']);
  const { ask } = start({ rateLimits: new RateLimits({ plans, failures }), proxies });
  const statuses: number[] = [];
  for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) {
    statuses.push((await ask(from(address))).status);
  }
  assert.deepEqual(statuses, [401, 429, 401]);
  assert.equal((await ask({ headers: { 'x-forwarded-for': '203.0.113.1' } })).status, 200);
});

test('Vary names the request fields that responses depend on where origins are configured', async () => {
  const { ask } = start({ corsOrigins: new Set([origin]) });
  assert.equal(fieldOf(await ask(), 'vary'), 'Origin');
  const options = fieldOf(await ask({ method: 'OPTIONS' }), 'vary');
  assert.equal(options, 'Origin, Access-Control-Request-Method');
  const granted = await ask({ headers: { origin } });
  assert.equal(fieldOf(granted, 'access-control-allow-origin'), origin);
  const other = await ask({ headers: { origin: 'https://other.example' } });
  assert.equal(fieldOf(other, 'access-control-allow-origin'), undefined);
  assert.equal(fieldOf(await start().ask(), 'vary'), undefined);
});
