import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

import { addressRanges } from '../../src/lib/network/address-ranges.ts';
import { startProxy } from '../support/program/proxy-programs.ts';
import type { ProxyName, RunningProxy } from '../support/program/proxy-programs.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { once } from '../support/wait.ts';

/** The shipped configurations of real proxies, with clients that forge forwarded headers. */

/** The address of the client, as the proxy sees it. */
const client = '127.0.0.7';

/** Raw header fields of a client: names and values in turn. */
const forgeries: readonly (readonly string[])[] = [
  [],
  ['Forwarded', 'for=8.8.8.8;proto=https'],
  ['forwarded', 'for=8.8.8.8', 'FORWARDED', 'for=9.9.9.9;proto=http'],
  ['X-Forwarded-For', '8.8.8.8'],
  ['x-forwarded-for', '8.8.8.8', 'X-FORWARDED-FOR', '9.9.9.9, 127.0.0.1'],
  ['X-Forwarded-Proto', 'http'],
  ['x-forwarded-proto', 'http', 'X-FORWARDED-PROTO', 'ftp'],
  ['Forwarded', `for=${client}`, 'X-Forwarded-For', '8.8.8.8', 'X-Forwarded-Proto', 'http'],
  ['X_Forwarded_For', '8.8.8.8'],
];

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
}

/** Sends a request through a proxy. */
async function ask(
  { httpsPort, httpPort }: RunningProxy,
  { path, fields, isTls = true }: { path: string; fields: readonly string[]; isTls?: boolean },
): Promise<Answer> {
  const options = {
    host: '127.0.0.1',
    port: isTls ? httpsPort : httpPort,
    path,
    localAddress: client,
    headers: ['Host', 'localhost', ...fields],
    agent: false,
  };
  const sent = isTls
    ? requestTls({ ...options, rejectUnauthorized: false, servername: 'localhost' })
    : request(options);
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await text(response);
  return { status: response.statusCode ?? 0, headers: response.headers };
}

async function proxyOr(
  t: TestContext,
  name: ProxyName,
  upstreamPort: number,
): Promise<RunningProxy | undefined> {
  const proxy = await startProxy(name, upstreamPort);
  if (proxy === undefined) t.skip(`${name} or openssl is not installed`);
  return proxy;
}

/** Starts an upstream that records the header fields of the requests that it receives. */
async function startRecorder() {
  const received: (readonly string[])[] = [];
  const server = createServer(({ rawHeaders }, response) => {
    received.push(rawHeaders);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, received, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The values of a field. The case of its name is ignored. */
function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

for (const name of ['nginx', 'caddy'] as const) {
  test(`${name}: forged fields do not reach the upstream; the fields of the proxy do, once each`, async (t) => {
    await using recorder = await startRecorder();
    await using proxy = await proxyOr(t, name, recorder.port);
    if (proxy === undefined) return;
    for (const fields of forgeries) {
      recorder.received.length = 0;
      await ask(proxy, { path: '/', fields });
      const [received = []] = recorder.received;
      const what = fields.join(' ');
      assert.deepEqual(valuesOf(received, 'forwarded'), [], what);
      assert.deepEqual(valuesOf(received, 'x-forwarded-for'), [client], what);
      assert.deepEqual(valuesOf(received, 'x-forwarded-proto'), ['https'], what);
    }
  });

  test(`${name}: the service identifies each client by its own address and protocol, despite forged fields`, async (t) => {
    const transport = { proxies: addressRanges(['127.0.0.1']) };
    await using server = await startTestServer({ transport, accessLog: 'all' });
    await using proxy = await proxyOr(t, name, server.port);
    if (proxy === undefined) return;
    for (const fields of forgeries) {
      const key = ['Authorization', `Bearer ${server.key}`];
      const answer = await ask(proxy, { path: '/especies.txt', fields: [...key, ...fields] });
      const what = fields.join(' ');
      assert.equal(answer.status, 200, what);
      assert.ok(answer.headers['strict-transport-security'], what);
      const line = server.logged.findLast(({ message }) => message === 'answered');
      assert.equal(line?.['remote'], client, what);
    }
  });

  test(`${name}: a request with a key over plain HTTP is refused and not redirected`, async (t) => {
    await using recorder = await startRecorder();
    await using proxy = await proxyOr(t, name, recorder.port);
    if (proxy === undefined) return;
    const path = '/cotizaciones?panel=LID';
    const key = ['authorization', 'Bearer x'];
    const refused = await ask(proxy, { path, fields: key, isTls: false });
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.location, undefined);
    const redirected = await ask(proxy, { path, fields: [], isTls: false });
    assert.equal(redirected.status, 301);
    assert.equal(redirected.headers.location, `https://localhost${path}`);
    assert.equal(recorder.received.length, 0);
  });
}
