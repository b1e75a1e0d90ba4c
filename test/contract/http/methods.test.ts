import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { RatePlans } from '../../../src/auth/rate-plans.ts';
import type { HttpObserver } from '../../../src/http/handler/request-handler.ts';
import { RateLimits } from '../../../src/http/admission/rate-limits.ts';
import type { CheckedAnswer } from '../../support/http/contract.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { parseAnswer } from '../../support/http/raw-http.ts';
import { startPrivateServer } from '../../support/http/start-private-server.ts';
import { startTestServer, type TestServer } from '../../support/http/start-test-server.ts';

/** The key is checked before a method, a version or a target is refused. test/fuzz/every-method.test.ts sends them all. */

const target = '/cotizaciones?especie=GGAL';

/** Sends requests on one connection, and returns all responses until the server closes it. */
async function exchange(port: number, lines: readonly string[]): Promise<CheckedAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  const all = await text(socket);
  const answers = all.split(/(?=HTTP\/1\.1 \d{3} )/).map(parseAnswer);
  return answers.map((one) => ({ ...one, header: (name) => one.headers.get(name) }));
}

/** The keys of requests: none, a wrong one, a valid one. */
function keysOf(server: TestServer): ReadonlyMap<string, string | undefined> {
  return new Map([
    ['none', undefined],
    ['wrong', `${server.key}x`],
    ['right', server.key],
  ]);
}

test('a version that the connection cannot carry is refused after the check of the key, and the connection is closed', async () => {
  await using server = await startTestServer();
  for (const version of [' HTTP/0.9', '', ' HTTP/2.0', ' RTSP/1.0', ' RTSP/2.0']) {
    for (const [whose, key] of keysOf(server)) {
      const own = key === undefined ? [] : [`Authorization: Bearer ${key}`];
      const head = [`GET ${target}${version}`, 'Host: x', ...own, 'Connection: keep-alive'];
      const [answer, ...others] = await exchange(server.port, head);
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
      const [answer, ...others] = await exchange(server.port, [line, 'Host: x', ...own]);
      assert.equal(answer?.status, 400, line);
      assert.equal(others.length, 0);
    }
  }
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
    const [answer] = await exchange(server.port, [`GET ${target} HTTP/7.1`, 'Host: x']);
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
      const [answer, ...others] = await exchange(server.port, [line, 'Host: x', ...own]);
      assert.equal(answer?.status, expected, line);
      assert.equal(others.length, 0);
    }
  }
  const counted = await server.metrics.registry.metrics();
  assert.doesNotMatch(counted, /status="500"/);
  assert.match(counted, /listener="private",route="unknown",method="other",status="405"/);
});
