import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';

import { RatePlans } from '../../src/auth/rate-plans.ts';
import { RateLimits } from '../../src/http/admission/rate-limits.ts';
import { addressRanges } from '../../src/lib/network/address-ranges.ts';
import { assertContract } from '../support/http/contract.ts';
import { startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { parseAnswer, type RawAnswer } from '../support/http/raw-http.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { once } from '../support/wait.ts';

/** Local addresses that stand for a named proxy and for another peer. */
const proxy = '127.0.0.2';
const stranger = '127.0.0.3';
const proxies = addressRanges([proxy]);
const transport = { proxies, plainPeers: proxies };

const server = await startTestServer({ transport, corsOrigins: ['https://desk.example'] });
after(() => server[Symbol.asyncDispose]());

const quotes = '/cotizaciones?especie=GGAL';

/** Sends a request from a local address, and checks the response against the contract. */
async function send(
  localAddress: string,
  line: string,
  {
    lines = [],
    port = server.port,
  }: { readonly lines?: readonly string[]; readonly port?: number },
): Promise<RawAnswer> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.write(`${[`${line} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`);
  // The server closes the connection only after a refusal.
  const [first] = (await once(socket, 'data')) as [Buffer];
  const isClosed = /^connection: close\r$/im.test(first.toString());
  if (!isClosed) socket.end();
  const answer = parseAnswer(first.toString() + (await text(socket)));
  const [method = '', target = ''] = line.split(' ');
  const path = target.split('?')[0] ?? '';
  assertContract(method, path, {
    ...answer,
    header: (name) => answer.headers.get(name.toLowerCase()),
  });
  assert.equal(isClosed, answer.status === 403 || answer.status === 429, line);
  return answer;
}

const right = `Authorization: Bearer ${server.key}`;

test('contract 5.3: plain HTTP from a peer that is not a named proxy is refused with any key', async () => {
  const bodies = new Set<string>();
  for (const own of [[right], ['Authorization: Bearer x'], []]) {
    for (const line of [`GET ${quotes}`, 'GET /especies.txt', 'GET /nada', 'POST /cotizaciones']) {
      const answer = await send(stranger, line, { lines: own });
      assert.equal(answer.status, 403, line);
      bodies.add(answer.body);
    }
  }
  assert.equal(bodies.size, 1);
  assert.match([...bodies].join(), /HTTPS/);
});

test('plain HTTP is refused before the check of the key, so the key is not noted as used', async () => {
  await using own = await startTestServer({ transport });
  const lines = [`Authorization: Bearer ${own.key}`];
  const answer = await send(stranger, `GET ${quotes}`, { lines, port: own.port });
  assert.equal(answer.status, 403);
  const line = own.logged.findLast(({ message }) => message === 'answered');
  assert.deepEqual([line?.['status'], line?.['keyId']], [403, undefined]);
});

test('forwarded headers of a peer that is not a named proxy are ignored', async () => {
  for (const own of [
    ['X-Forwarded-Proto: https'],
    ['X-Forwarded-For: 127.0.0.2', 'X-Forwarded-Proto: https'],
    ['Forwarded: for=127.0.0.2;proto=https'],
  ]) {
    const answer = await send(stranger, `GET ${quotes}`, { lines: [right, ...own] });
    assert.equal(answer.status, 403);
  }
});

test('over plain HTTP the health check is served without a key, and no other open path is', async () => {
  assert.equal((await send(stranger, 'GET /healthz', {})).status, 200);
  assert.equal((await send(stranger, 'HEAD /healthz', {})).status, 200);
  assert.equal((await send(stranger, 'GET /healthz', { lines: [right] })).status, 403);
  assert.equal((await send(stranger, 'GET /openapi.json', {})).status, 403);
  assert.equal((await send(stranger, 'POST /healthz', {})).status, 403);
});

test('a preflight over plain HTTP is refused, so that no browser sends a key after it', async () => {
  const lines = ['Origin: https://desk.example', 'Access-Control-Request-Method: GET'];
  assert.equal((await send(stranger, 'OPTIONS /cotizaciones', { lines })).status, 403);
});

test('a named proxy may use plain HTTP, on the fast path and on the general path', async () => {
  assert.equal((await send(proxy, `GET ${quotes}`, { lines: [right] })).status, 200);
  assert.equal((await send(proxy, `HEAD ${quotes}`, { lines: [right] })).status, 200);
  assert.equal((await send(proxy, `GET ${quotes}`, {})).status, 401);
});

test('contract 6.2: refusals over plain HTTP count as failures of their address', async () => {
  const failures = { requests: 2, seconds: 3_600, burst: 2 };
  const rateLimits = new RateLimits({ plans: new RatePlans({ plans: new Map() }), failures });
  await using own = await startTestServer({ transport, rateLimits });
  const statuses: number[] = [];
  for (let sent = 0; sent < 4; sent += 1) {
    statuses.push((await send(stranger, `GET ${quotes}`, { port: own.port })).status);
  }
  assert.deepEqual(statuses, [403, 403, 429, 429]);
});

/** An address of this machine that is not loopback. */
function outerAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((one) => one !== undefined && !one.internal && one.family === 'IPv4')?.address;
}

test('a service behind a proxy accepts plain HTTP from loopback, and refuses it from other peers', async (t) => {
  const outer = outerAddress();
  if (outer === undefined) return t.skip('this machine has only loopback addresses');
  await using directory = await temporaryDirectory();
  const args = ['--store', directory.path, '--host', '0.0.0.0', '--behind-proxy', '192.0.2.1'];
  await using service = await startPizarra(args);
  const { port } = new URL(service.url);
  const headers = { authorization: `Bearer ${await service.firstKey()}` };
  const statusAt = async (host: string, path: string): Promise<number> =>
    (await fetch(`http://${host}:${port}${path}`, { headers })).status;
  assert.equal(await statusAt('127.0.0.1', '/especies.txt'), 200);
  assert.equal(await statusAt(outer, '/especies.txt'), 403);
  assert.equal((await fetch(`http://${outer}:${port}/healthz`)).status, 200);
});

test('a private listener behind a proxy accepts plain HTTP from loopback, and refuses it from other peers', async (t) => {
  const outer = outerAddress();
  if (outer === undefined) return t.skip('this machine has only loopback addresses');
  await using directory = await temporaryDirectory();
  const behind = ['--private-host', '0.0.0.0', '--private-behind-proxy', '192.0.2.1'];
  await using service = await startPizarra(['--store', directory.path, ...behind]);
  const { port, protocol } = new URL(service.privateUrl);
  assert.equal(protocol, 'http:');
  const pushTo = async (host: string): Promise<Response> =>
    fetch(`http://${host}:${port}/updates`, { method: 'POST', body: '[]' });
  assert.equal((await pushTo('127.0.0.1')).status, 401);
  const refused = await pushTo(outer);
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /privateBehindProxy/);
  assert.equal((await fetch(`http://${outer}:${port}/healthz`)).status, 200);
  assert.equal((await fetch(`http://${outer}:${port}/readyz`)).status, 403);
});
