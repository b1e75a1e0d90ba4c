import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, request, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect as connectTls } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';

import { generateKey } from '../../src/auth/api-key.ts';
import { addressRanges } from '../../src/lib/network/address-ranges.ts';
import {
  startProxy,
  type ProxyName,
  type RunningProxy,
} from '../support/program/proxy-programs.ts';
import { startTestServer, testNow } from '../support/http/start-test-server.ts';
import { unusedPort } from '../support/program/unused-ports.ts';
import { once, until } from '../support/wait.ts';

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
  {
    path,
    fields,
    isTls = true,
    host = 'localhost',
  }: { path: string; fields: readonly string[]; isTls?: boolean; host?: string },
): Promise<Answer> {
  const options = {
    host: '127.0.0.1',
    port: isTls ? httpsPort : httpPort,
    path,
    localAddress: client,
    headers: ['Host', host, ...fields],
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

/** Sends bytes that no client library would, and returns the status line of the response. */
async function statusLineOf({ httpsPort }: RunningProxy, bytes: string): Promise<string> {
  const at = { host: '127.0.0.1', port: httpsPort, servername: 'localhost' };
  const socket = connectTls({ ...at, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  socket.write(bytes);
  return (await text(socket)).split('\r\n')[0] ?? '';
}

/** Sends a request that Caddy logs: only with the port in `Host` does it find the log of the site. */
function askLogged(proxy: RunningProxy, path: string): Promise<Answer> {
  return ask(proxy, { path, fields: [], host: `localhost:${proxy.httpsPort}` });
}

/** The logs of a proxy, once the line of a last request is in them. */
async function logsAfter(proxy: RunningProxy, path: string): Promise<string> {
  await askLogged(proxy, path);
  await until('the last request is logged', async () =>
    (await proxy.logs()).responses.includes(path),
  );
  const { responses, errors } = await proxy.logs();
  return responses + errors;
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

for (const name of ['nginx', 'nginx.cluster', 'caddy'] as const) {
  test(`${name}: a request with a key in its URL reaches the service, and neither log of the proxy has the key`, async (t) => {
    await using server = await startTestServer({ urlKeys: true });
    await using proxy = await proxyOr(t, name, server.port);
    if (proxy === undefined) return;
    const key = await server.issue({ scope: 'url', expiresAt: testNow + 1_000 });
    const target = `/clave/${key}/cotizaciones?panel=LID`;
    assert.equal((await askLogged(proxy, target)).status, 200);
    const encoded = `/%63lave/${key}/cotizaciones?panel=LID`;
    assert.equal((await askLogged(proxy, encoded)).status, 200);
    const unknown = `/v5/clave/${key}/nada`;
    assert.equal((await askLogged(proxy, unknown)).status, 401);
    // A tool that does not encode the space of a ticker.
    const space = `GET /clave/${key}/cotizaciones?especie=DOLAR MEP HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    assert.match(await statusLineOf(proxy, space), /^HTTP\/1\.1 400 /);
    const logged = await logsAfter(proxy, '/especies.txt');
    assert.ok(!logged.includes(key.slice(4)), logged);
    assert.ok(!JSON.stringify(server.logged).includes(key.slice(4)));
  });

  test(`${name}: when nothing answers a request with a key in its URL, the log of errors does not have the key`, async (t) => {
    await using proxy = await proxyOr(t, name, await unusedPort());
    if (proxy === undefined) return;
    const key = generateKey(randomBytes, 'url');
    const target = `/clave/${key}/cotizaciones?panel=LID`;
    assert.equal((await askLogged(proxy, target)).status, 502);
    const logged = await logsAfter(proxy, '/especies.txt');
    assert.match(logged, /refused/, 'the failure of another request is logged');
    assert.ok(!logged.includes(key.slice(4)), logged);
  });

  test(`${name}: a key in a URL over plain HTTP is refused, not redirected and not logged`, async (t) => {
    await using recorder = await startRecorder();
    await using proxy = await proxyOr(t, name, recorder.port);
    if (proxy === undefined) return;
    const key = generateKey(randomBytes, 'url');
    for (const prefix of ['/clave', '/%63lave', '/v5/clave', '/CLAVE']) {
      for (const fields of [[], ['authorization', 'Bearer x']]) {
        const path = `${prefix}/${key}/cotizaciones?panel=LID`;
        const refused = await ask(proxy, { path, fields, isTls: false });
        assert.equal(refused.status, 403, path);
        assert.equal(refused.headers.location, undefined);
      }
    }
    assert.equal(recorder.received.length, 0);
    const logged = await logsAfter(proxy, '/especies.txt');
    assert.ok(!logged.includes(key.slice(4)), logged);
  });
}
