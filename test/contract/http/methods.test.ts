import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

import { RatePlans } from '../../../src/auth/rate-plans.ts';
import { Certificate } from '../../../src/http/carriers/connection/certificate.ts';
import type { HttpObserver } from '../../../src/http/handler/http-observer.ts';
import { RateLimits } from '../../../src/http/admission/rate-limits.ts';
import { assertError, type CheckedAnswer } from '../../support/http/contract.ts';
import { makeCertificate } from '../../support/program/make-certificate.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { parseAnswer } from '../../support/http/raw-http.ts';
import { startPrivateServer } from '../../support/http/start-private-server.ts';
import { startTestServer, type TestServer } from '../../support/http/start-test-server.ts';
import { once } from '../../support/wait.ts';

/** Every carrier checks the key before it refuses a method, a version or a target. */

const path = '/cotizaciones';
const target = `${path}?especie=GGAL`;

/** Methods of other protocols. Node's parser accepts those of RTSP. HTTP/2 accepts any token. */
const rtspMethods = [
  'DESCRIBE',
  'ANNOUNCE',
  'SETUP',
  'PLAY',
  'PAUSE',
  'TEARDOWN',
  'GET_PARAMETER',
  'SET_PARAMETER',
  'REDIRECT',
  'RECORD',
  'FLUSH',
];
const inventedMethods = ['FOO', 'get', 'GETT', 'X-Y.Z', '!#$%&', 'PRI', 'x'.repeat(300)];
const served = new Set(['GET', 'HEAD']);

/** Sends requests on one connection, and returns all responses until the server closes it. */
async function exchange(
  port: number,
  lines: readonly string[],
  isTls: boolean,
): Promise<CheckedAnswer[]> {
  const at = { port, host: '127.0.0.1' };
  const socket = isTls
    ? connectTls({ ...at, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    : connectTcp(at);
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  const all = await text(socket);
  const answers = all.split(/(?=HTTP\/1\.1 \d{3} )/).map(parseAnswer);
  return answers.map((one) => ({ ...one, header: (name) => one.headers.get(name) }));
}

async function exchangeHttp2(
  session: ClientHttp2Session,
  head: Readonly<Record<string, string>>,
): Promise<CheckedAnswer[]> {
  const stream = session.request(head, { endStream: true });
  const [[headers], body] = await Promise.all([
    once(stream, 'response') as Promise<[Record<string, string | number>]>,
    text(stream),
  ]);
  const header = (name: string): string | undefined => headers[name]?.toString();
  return [{ status: Number(headers[':status']), header, body }];
}

/** The keys of requests: none, a wrong one, a valid one. */
function keysOf(server: TestServer): ReadonlyMap<string, string | undefined> {
  return new Map([
    ['none', undefined],
    ['wrong', `${server.key}x`],
    ['right', server.key],
  ]);
}

/** The protocol of a request line that is not HTTP but that Node's parser accepts. */
const otherProtocol = / (?:RTSP|ICE)\/\d\.\d$/;

/**
 * Fails unless a request got exactly one refusal: 401 without a valid key, otherwise 400 for a request line of
 * another protocol, otherwise 405.
 */
function assertRefused(answers: readonly CheckedAnswer[], whose: string, what: string): void {
  const [answer] = answers;
  assert.ok(answer !== undefined && answers.length === 1, `${what}: ${answers.length} answers`);
  const refusal = otherProtocol.test(what) ? 400 : 405;
  assert.equal(answer.status, whose === 'right' ? refusal : 401, what);
  const isMethodRefused = answer.status === 405;
  assert.equal(answer.header('allow'), isMethodRefused ? 'GET, HEAD' : undefined, what);
  assertError(answer);
}

/** Starts a server with metrics and limits, over plain HTTP or TLS. */
async function startCounting(certificate?: Certificate) {
  const counted: { method: string; status: number; route: string }[] = [];
  const observer: HttpObserver = {
    answered: ({ method, status, route }) => counted.push({ method, status, route }),
    keyRefused: () => undefined,
  };
  const transport = certificate === undefined ? {} : { certificate };
  const server = await startTestServer({ observer, transport });
  return { ...server, counted };
}

/**
 * Fails unless each refusal was counted once, under a known method, and the log has at most the lines of
 * refused requests: 20 a minute for each client and status.
 */
function assertAccountedFor(
  { logged, counted }: Awaited<ReturnType<typeof startCounting>>,
  refusals: number,
  ofOtherProtocols = 0,
): void {
  assert.equal(counted.length, refusals);
  const linesMax = 2 * 20 + Math.min(20, ofOtherProtocols);
  assert.equal(
    logged.length,
    linesMax,
    '20 lines with 401 of an address, with 405 and 400 of a key',
  );
  assert.ok(logged.every(({ remote }) => remote === '127.0.0.1'));
  const methods = new Set(counted.map(({ method }) => method));
  const others = ofOtherProtocols === 0 ? [] : ['GET'];
  const known = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other', ...others];
  assert.deepEqual([...methods].toSorted(), known.toSorted());
  const routes = new Set(counted.map(({ route }) => route));
  assert.deepEqual(
    [...routes].toSorted(),
    ofOtherProtocols === 0 ? ['unknown'] : [path, 'unknown'],
  );
  assert.ok(logged.every(({ method }) => String(method).length <= 32));
}

function certificateOr(t: TestContext): Certificate | undefined {
  const made = makeCertificate();
  if (made === undefined) t.skip('openssl is not installed');
  return made === undefined ? undefined : new Certificate(made);
}

for (const isTls of [false, true]) {
  test(`contract 5.2, 4.5.1: over HTTP/1.0 and 1.1${isTls ? ' and TLS' : ''}, every method and protocol of Node's parser gets 401 without a valid key, and 405 or 400 with one`, async (t) => {
    const certificate = isTls ? certificateOr(t) : undefined;
    if (isTls && certificate === undefined) return;
    await using server = await startCounting(certificate);
    const others = METHODS.filter((method) => !served.has(method) && method !== 'CONNECT');
    const lines = [
      ...others.flatMap((method) => [
        `${method} ${target} HTTP/1.1`,
        `${method} ${target} HTTP/1.0`,
      ]),
      ...rtspMethods.map((method) => `${method} ${target} RTSP/1.0`),
      `GET ${target} RTSP/1.0`,
      `POST ${target} RTSP/1.1`,
      `SOURCE ${target} ICE/1.0`,
      'CONNECT example.com:443 HTTP/1.1',
      'OPTIONS * HTTP/1.1',
      'OPTIONS * RTSP/1.0',
      `POST http://other.example${target} HTTP/1.1`,
    ];
    let refusals = 0;
    for (const [whose, key] of keysOf(server)) {
      for (const line of lines) {
        const own = key === undefined ? [] : [`Authorization: Bearer ${key}`];
        const answers = await exchange(server.port, [line, 'Host: x', ...own], isTls);
        assertRefused(answers, whose, line);
        refusals += 1;
      }
    }
    const ofOtherProtocols = lines.filter((line) => otherProtocol.test(line)).length;
    assertAccountedFor(server, refusals, ofOtherProtocols);
  });
}

test('contract 5.2, 4.5.1: over HTTP/2, any token as method gets 401 without a valid key, and 405 with one', async (t) => {
  const certificate = certificateOr(t);
  if (certificate === undefined) return;
  await using server = await startCounting(certificate);
  const session = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
  const others = [...METHODS, ...rtspMethods, ...inventedMethods].filter((one) => !served.has(one));
  let refusals = 0;
  for (const [whose, key] of keysOf(server)) {
    for (const method of others) {
      const named =
        method === 'CONNECT' ? { ':authority': 'example.com:443' } : { ':path': target };
      const own = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const answers = await exchangeHttp2(session, { ':method': method, ...named, ...own });
      assertRefused(answers, whose, method);
      refusals += 1;
    }
  }
  session.destroy();
  assertAccountedFor(server, refusals);
});

test('a version that the connection cannot carry is refused after the check of the key, and the connection is closed', async () => {
  await using server = await startTestServer();
  for (const version of [' HTTP/0.9', '', ' HTTP/2.0']) {
    for (const [whose, key] of keysOf(server)) {
      const own = key === undefined ? [] : [`Authorization: Bearer ${key}`];
      const head = [`GET ${target}${version}`, 'Host: x', ...own, 'Connection: keep-alive'];
      const [answer, ...others] = await exchange(server.port, head, false);
      assert.equal(answer?.status, whose === 'right' ? 400 : 401, version);
      assert.equal(answer?.header('connection'), 'close');
      assert.equal(others.length, 0);
    }
  }
});

test('a request line of another protocol is refused after the check of the key, in one piece or in several', async () => {
  await using server = await startTestServer();
  const rest = `Host: x\r\nAuthorization: Bearer ${server.key}\r\n\r\n`;
  const bytes = `GET ${target} RTSP/1.0\r\n${rest}`;
  for (const at of [0, 2, 10, bytes.indexOf('TSP'), bytes.indexOf('\r\n'), bytes.indexOf('\n')]) {
    using connection = await RawConnection.open(server.port);
    connection.socket.write(bytes.slice(0, at));
    await nextTurn();
    const { status, headers } = await connection.ask(bytes.slice(at));
    assert.equal(status, 400, `${at}`);
    assert.equal(headers.get('connection'), 'close');
    await connection.ended();
  }
  for (const line of [`X-Protocol: RTSP/1.0`, 'X: a b RTSP/1.0', 'X: GET /x ICE/1.0']) {
    const head = `GET ${target} HTTP/1.1\r\n${line}\r\n${rest}`;
    using connection = await RawConnection.openAtNode(server.port);
    assert.equal((await connection.ask(head)).status, 200, line);
    assert.equal((await connection.ask(`GET /nada HTTP/1.1\r\n${rest}`)).status, 404);
    assert.equal((await connection.ask(head)).status, 200, line);
  }
});

test('contract 4.5.2: bytes that are not an HTTP request get 400 without a check of the key', async () => {
  await using server = await startTestServer();
  const lines = [
    `GET ${target} ICE/1.0`,
    `GET ${target} http/1.1`,
    `GET ${target} HTTP/1.2`,
    `GET ${target} HTTP/3`,
    `PLAY ${target} HTTP/1.1`,
    `FOO ${target} HTTP/1.1`,
    'GET example.com:80 HTTP/1.1',
    'PRI * HTTP/2.0',
  ];
  for (const line of lines) {
    for (const own of [[], [`Authorization: Bearer ${server.key}`]]) {
      const [answer, ...others] = await exchange(server.port, [line, 'Host: x', ...own], false);
      assert.equal(answer?.status, 400, line);
      assert.equal(others.length, 0);
    }
  }
});

test('contract 6.2: requests without a key count as failures of their address, with any method', async () => {
  const failures = { requests: 4, seconds: 3_600, burst: 4 };
  const plans = new RatePlans({ plans: new Map() });
  await using server = await startTestServer({ rateLimits: new RateLimits({ plans, failures }) });
  const statuses: unknown[] = [];
  for (const line of [
    `PLAY ${target} RTSP/1.0`,
    'CONNECT example.com:443 HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    `M-SEARCH ${target} HTTP/1.1`,
    `PLAY ${target} RTSP/1.0`,
    'CONNECT example.com:443 HTTP/1.1',
  ]) {
    const [answer] = await exchange(server.port, [line, 'Host: x'], false);
    statuses.push(answer?.status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 429, 429]);
});

test('contract 4.5.2, 6.2: bytes that are not an HTTP request count as failures, in the metrics and in the log', async () => {
  const counted: { method: string; status: number; route: string }[] = [];
  const observer: HttpObserver = {
    answered: ({ method, status, route }) => counted.push({ method, status, route }),
    keyRefused: () => undefined,
  };
  const failures = { requests: 30, seconds: 3_600, burst: 30 };
  const plans = new RatePlans({ plans: new Map() });
  const rateLimits = new RateLimits({ plans, failures });
  await using server = await startTestServer({ observer, rateLimits });
  const statuses: unknown[] = [];
  for (let sent = 0; sent < 60; sent += 1) {
    const [answer] = await exchange(server.port, [`GET ${target} HTTP/7.1`, 'Host: x'], false);
    assert.ok(answer?.header('ratelimit') !== undefined && answer.header('date') !== undefined);
    statuses.push(answer.status);
  }
  const expected = [...Array(30).fill(400), ...Array(30).fill(429)];
  assert.deepEqual(statuses, expected);
  assert.deepEqual(
    counted,
    expected.map((status) => ({ method: 'other', status, route: 'unknown' })),
  );
  const lines = server.logged.map(({ status, remote }) => ({ status, remote }));
  assert.equal(lines.length, 2 * 20, '20 lines with 400 of the address, and 20 with 429');
  assert.ok(lines.every(({ remote }) => remote === '127.0.0.1'));
  assert.equal((await server.get(target)).status, 200, 'a valid key is not affected');
});

test('on the private listener too, the key is checked first for every method and path', async () => {
  await using server = await startPrivateServer();
  const lines = [
    ['PLAY /metrics RTSP/1.0', 400],
    ['GET /metrics RTSP/1.0', 400],
    ['CONNECT example.com:443 HTTP/1.1', 405],
    ['OPTIONS * HTTP/1.1', 405],
    ['PROPFIND /updates HTTP/1.1', 405],
    ['POST /metrics HTTP/1.0', 405],
    ['DELETE /healthz HTTP/1.1', 405],
    ['GET /nada HTTP/1.1', 404],
    ['PLAY /nada RTSP/1.0', 400],
    ['GET /metrics HTTP/2.0', 400],
    ['GET /metrics', 400],
  ] as const;
  const { metrics, read } = server.keys;
  for (const [line, status] of lines) {
    for (const [key, expected] of [
      [undefined, 401],
      [read, 401],
      [metrics, status],
    ] as const) {
      const own = key === undefined ? [] : [`Authorization: Bearer ${key}`];
      const [answer, ...others] = await exchange(server.port, [line, 'Host: x', ...own], false);
      assert.equal(answer?.status, expected, line);
      assert.equal(others.length, 0);
    }
  }
  const counted = await server.metrics.registry.metrics();
  assert.doesNotMatch(counted, /status="500"/);
  assert.match(counted, /listener="private",route="unknown",method="other",status="405"/);
});
