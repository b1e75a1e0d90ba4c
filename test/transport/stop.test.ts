import assert from 'node:assert/strict';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

import { Certificate } from '../../src/http/carriers/connection/certificate.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { RawConnection } from '../support/http/raw-connection.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';
import { deferred, once, until } from '../support/wait.ts';

const made = makeCertificate();
const noTls = made === undefined ? 'openssl is not installed' : false;

const quotes = '/cotizaciones?especie=GGAL';

function get(target: string, key: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** Starts a server whose stop waits for requests in transit. */
function start(drainIdleMs: number): Promise<TestServer> {
  return startTestServer({ limits: { drainIdleMs, timeoutCheckMs: 20 } });
}

/** Opens connections of every kind: unused, read by the socket carrier, and read by Node. */
async function openKinds(server: TestServer): Promise<Record<string, RawConnection>> {
  const unused = await RawConnection.open(server.port);
  const bySocket = await RawConnection.open(server.port);
  await bySocket.ask(get(quotes, server.key));
  const byNode = await RawConnection.openAtNode(server.port);
  return { unused, bySocket, byNode };
}

test('contract 7.2: while a server drains, every request gets a response, and its connection is closed', async () => {
  const server = await start(200);
  const kinds = await openKinds(server);
  const stopped = server[Symbol.asyncDispose]();
  kinds['opened since'] = await RawConnection.open(server.port);
  for (const [kind, connection] of Object.entries(kinds)) {
    const response = await connection.ask(get(quotes, server.key));
    assert.equal(response.status, 200, kind);
    assert.equal(response.headers.get('connection'), 'close', kind);
    await connection.ended();
  }
  await stopped;
});

test('contract 7.2: a stop closes a connection that has been idle for drainIdleMs, and none earlier', async () => {
  const server = await start(150);
  const kinds = await openKinds(server);
  const begun = performance.now();
  const stopped = server[Symbol.asyncDispose]();
  const closedAfter = await Promise.all(
    Object.values(kinds).map(async (connection) => {
      await connection.ended();
      return performance.now() - begun;
    }),
  );
  // Timers may fire a millisecond early.
  for (const ms of closedAfter) assert.ok(ms >= 148, `closed after ${closedAfter.join(', ')} ms`);
  await stopped;
});

test('contract 7.1: a request that is completed long after the listening socket was closed gets 503 with Retry-After', async () => {
  const server = await start(100);
  using late = await RawConnection.open(server.port);
  const request = get(quotes, server.key);
  late.socket.write(request.slice(0, 20));
  const stopped = server[Symbol.asyncDispose]();
  await until('connections are refused', async () => !(await accepts(server.port)));
  await sleep(150);
  const response = await late.ask(request.slice(20));
  assert.equal(response.status, 503);
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal(response.headers.get('connection'), 'close');
  await stopped;
});

async function accepts(port: number): Promise<boolean> {
  try {
    using _ = await RawConnection.open(port);
    return true;
  } catch {
    return false;
  }
}

test('contract 7.1: while a server drains, a new stream gets 503 with Retry-After', async () => {
  const server = await start(100);
  server.server.drain();
  const response = await server.get('/cotizaciones/stream?panel=LID');
  assert.equal(response.status, 503);
  assert.equal(response.header('retry-after'), '5');
  await server[Symbol.asyncDispose]();
});

for (const [path, target] of [
  ['from the socket', '/historicos?especie=GGAL&desde=2020-01-01&hasta=2026-12-31'],
  ['by Node', '/historicos?especie=GGAL&desde=2020-01-01&hasta=2026-12-30'],
] as const) {
  test(`contract 7.2: the connection of a response that is under way when the stop begins is closed after it: ${path}`, async () => {
    const reading = deferred<void>();
    const release = deferred<void>();
    const series = {
      days: new Int32Array(),
      closes: new Float64Array(),
      volumes: new Float64Array(),
    };
    const server = await startTestServer({
      limits: { drainIdleMs: 50 },
      history: {
        readSeries: async () => {
          reading.resolve();
          await release.promise;
          return series;
        },
        readBars: () => Promise.reject(new Error('not requested')),
        countCloses: () => Promise.reject(new Error('not requested')),
      },
    });
    using connection = await RawConnection.open(server.port);
    if (path === 'by Node') await connection.passToNode();
    connection.socket.write(get(target, server.key));
    await reading.promise;
    const stopped = server[Symbol.asyncDispose]();
    await sleep(100);
    release.resolve();
    const response = await connection.next();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('connection'), 'close');
    assert.equal(response.headers.has('keep-alive'), false);
    await connection.ended();
    await stopped;
  });
}

test(
  'contract 7.2: over TLS, a request on a kept connection gets a response, and the connection is closed',
  { skip: noTls },
  async () => {
    const certificate = new Certificate(made ?? assert.fail());
    const server = await startTestServer({
      transport: { certificate },
      limits: { drainIdleMs: 150 },
    });
    const options = { port: server.port, host: '127.0.0.1', rejectUnauthorized: false };
    const socket = connectTls({ ...options, ALPNProtocols: ['http/1.1'] });
    await once(socket, 'secureConnect');
    using connection = new RawConnection(socket);
    await connection.ask(get(quotes, server.key));
    const stopped = server[Symbol.asyncDispose]();
    const response = await connection.ask(get(quotes, server.key));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('connection'), 'close');
    await stopped;
  },
);

async function askHttp2(session: ClientHttp2Session, key: string): Promise<number> {
  const headers = { ':path': quotes, authorization: `Bearer ${key}` };
  const stream = session.request(headers);
  const [{ ':status': status }] = (await once(stream, 'response')) as [{ ':status': number }];
  stream.resume();
  await once(stream, 'close');
  return status;
}

test(
  'contract 7.2: HTTP/2 clients get GOAWAY at once, and requests in transit get a response',
  { skip: noTls },
  async () => {
    const certificate = new Certificate(made ?? assert.fail());
    const server = await startTestServer({
      transport: { certificate },
      limits: { drainIdleMs: 1_500 },
    });
    const open = (): ClientHttp2Session =>
      connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
    const session = open();
    assert.equal(await askHttp2(session, server.key), 200);
    const notice = once(session, 'goaway') as Promise<[number, number]>;
    const written = session.socket?.bytesWritten ?? 0;
    const onItsWay = askHttp2(session, server.key);
    const isSent = (): boolean => session.socket?.bytesWritten !== written;
    await until('the request is sent', isSent, { everyTurn: true });
    const stopped = server[Symbol.asyncDispose]();
    assert.equal(await onItsWay, 200);
    assert.deepEqual((await notice).slice(0, 2), [0, 2 ** 31 - 1]);
    const later = open();
    assert.equal(await askHttp2(later, server.key), 200);
    await stopped;
    for (const one of [session, later]) if (!one.closed) await once(one, 'close');
  },
);
