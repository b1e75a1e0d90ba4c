import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { test } from 'node:test';

import { RatePlans } from '../../src/auth/rate-plans.ts';
import { Certificate } from '../../src/http/carriers/connection/certificate.ts';
import { RateLimits } from '../../src/http/admission/rate-limits.ts';
import { addressRanges } from '../../src/lib/network/address-ranges.ts';
import type { PublicServerParts } from '../../src/http/public-server.ts';
import type { SeriesReader } from '../../src/http/history/read-table.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { RawConnection } from '../support/http/raw-connection.ts';
import type { RawAnswer } from '../support/http/raw-http.ts';
import { startTestServer, testNow, type TestServer } from '../support/http/start-test-server.ts';
import { deferred, once } from '../support/wait.ts';

const made = makeCertificate();
const noTls = made === undefined ? 'openssl is not installed' : false;

const quotes = '/cotizaciones?especie=GGAL,NUEVA,NADA';
const panel = '/cotizaciones?panel=LIDGEN';
const history = '/historicos?especie=GGAL&desde=2020-01-01&hasta=2026-12-31';

function get(target: string, key: string, lines: readonly string[] = []): string {
  const head = [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...lines];
  return `${head.join('\r\n')}\r\n\r\n`;
}

/** Sets the last price of an instrument to 1.25. */
function changeGgal({ board }: TestServer): void {
  const instrument = board.universe.find('GGAL') ?? assert.fail();
  const quote = board.quote(instrument) ?? assert.fail();
  board.adopt([{ ...quote, version: quote.version + 1_000, last: 1.25 }]);
}

const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

/** The parts of a response that a client may rely on, without its date. */
function comparable({ status, headers, body }: RawAnswer): object {
  const told = Object.fromEntries(headers);
  const vary = (told['vary'] ?? '').split(', ').toSorted();
  return { status, headers: { ...told, date: '', vary }, body };
}

const wishes: readonly (readonly string[])[] = [
  [],
  ['Accept: text/csv'],
  ['Accept-Encoding: gzip, br;q=0.5'],
  ['Accept-Encoding: br, identity;q=0'],
  ['Accept-Encoding: identity;q=0, *;q=0'],
  ['If-None-Match: *'],
  ['If-None-Match: "x", W/"y"'],
  ['If-Modified-Since: Fri, 20 Nov 2037 20:00:00 GMT'],
  ['Range: bytes=0-1', 'User-Agent: a', 'Cookie: b=c', 'Connection: Keep-Alive'],
  ['Origin: https://app.example'],
  ['Origin: https://other.example'],
  ['X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Proto: https'],
  ['Forwarded: for=203.0.113.9;proto=https'],
  ['X-Forwarded-Proto: http'],
  [
    'X-Forwarded-For: 203.0.113.9',
    'X-Forwarded-Proto: http',
    'Forwarded: for=203.0.113.9;proto=https',
  ],
];

const targets: readonly string[] = [
  quotes,
  panel,
  history,
  '/historicos?especie=NADA&desde=2020-01-01&hasta=2026-12-31',
  '/especies.txt',
  '/especies.txt?panel=LID',
  '/especies.json',
  '/especies.json?panel=LID',
  '/especies.json?campos=precioPor',
  `${panel}&%66ormato=csv`,
  '/mercados?decimal=coma&formato=csv',
  '/cotizaciones?panel=NADA',
  '/cotizaciones',
  '/cotizaciones?especie=%zz',
  '/historicos?especie=GGAL&desde=2020-13-01&hasta=2026-12-31',
  '/historicos?especie=GGAL',
];

for (const [what, parts] of Object.entries({
  'as it comes': {},
  'for scripts of other origins': { corsOrigins: ['https://app.example'] },
  'behind a proxy': { transport: { proxies: addressRanges(['127.0.0.1']) } },
  'of simulated data': { dataSource: 'simulated', headers: { 'x-of-the-operator': 'a' } },
  'below a base path': { basePath: '/v5' },
  'in which every request waits for its turn': { limits: { turnBudgetMs: -1 } },
} as const)) {
  test(`both carriers of HTTP/1.1 give the same response: a server ${what}`, async () => {
    await using server = await startTestServer({ ...parts });
    const basePath = 'basePath' in parts ? parts.basePath : '';
    using bySocket = await RawConnection.open(server.port);
    using byNode = await RawConnection.openAtNode(server.port);
    for (const target of targets) {
      for (const lines of wishes) {
        const bytes = get(basePath + target, server.key, lines);
        // The first response may precede the compressed form.
        if (lines.some((line) => line.startsWith('Accept-Encoding'))) await bySocket.ask(bytes);
        const [one, other] = [await bySocket.ask(bytes), await byNode.ask(bytes)];
        assert.deepEqual(comparable(one), comparable(other), bytes);
      }
    }
  });
}

test('a connection accepts any request between two others', async () => {
  await using server = await startTestServer();
  const { key } = server;
  for (const [other, expected] of [
    [health, 200],
    [get('/openapi.json', key), 200],
    [get(quotes, 'pz_nobody'), 401],
    [`GET ${quotes} HTTP/1.1\r\nHost: x\r\n\r\n`, 401],
    [get('/nada', key), 404],
    [get(quotes, key, ['Content-Length: 0']), 200],
    [get(quotes, key, [`X: ${'y'.repeat(9_000)}`]), 200],
  ] as const) {
    using connection = await RawConnection.open(server.port);
    for (const [bytes, status] of [
      [get(quotes, key), 200],
      [other, expected],
      [get(quotes, key), 200],
      [other, expected],
    ] as const) {
      assert.equal((await connection.ask(bytes)).status, status, other);
    }
  }
});

test('requests that arrive at once get their responses in order', async () => {
  await using server = await startTestServer();
  using connection = await RawConnection.open(server.port);
  const { key } = server;
  const all = [quotes, panel, history, panel];
  const singly: string[] = [];
  for (const target of all) singly.push((await connection.ask(get(target, key))).body);
  connection.socket.write(all.map((target) => get(target, key)).join(''));
  for (const body of singly) assert.equal((await connection.next()).body, body);
});

test('a request that arrives in pieces gets its response when it is complete', async () => {
  await using server = await startTestServer();
  const bytes = get(quotes, server.key);
  for (const at of [1, 20, bytes.length - 3, bytes.length - 1]) {
    using connection = await RawConnection.open(server.port);
    connection.socket.write(bytes.slice(0, at));
    await sleep(5);
    assert.equal((await connection.ask(bytes.slice(at))).status, 200);
  }
});

test('a client that half-closes gets its response, and the connection closes', async () => {
  await using server = await startTestServer();
  using connection = await RawConnection.open(server.port);
  connection.socket.end(get(quotes, server.key));
  assert.equal((await connection.next()).status, 200);
  await connection.ended();
});

test('a revoked key is refused, also on a connection that accepted it before', async () => {
  await using server = await startTestServer();
  const key = await server.issue({});
  using connection = await RawConnection.open(server.port);
  assert.equal((await connection.ask(get(quotes, key))).status, 200);
  await server.revoke(key);
  assert.equal((await connection.ask(get(quotes, key))).status, 401);
});

test('a client that shares a connection with the owner of a key needs a key too', async () => {
  await using server = await startTestServer();
  using connection = await RawConnection.open(server.port);
  assert.equal((await connection.ask(get(quotes, server.key))).status, 200);
  const other = `${server.key.slice(0, -1)}${server.key.endsWith('a') ? 'b' : 'a'}`;
  assert.equal((await connection.ask(get(quotes, other))).status, 401);
});

test('what a proxy repeats on any of its connections is decided anew each time', async () => {
  await using server = await startTestServer({
    transport: { proxies: addressRanges(['127.0.0.1']) },
  });
  const key = await server.issue({});
  const bytes = get('/cotizaciones?especie=GGAL', key, ['X-Forwarded-For: 192.0.2.1']);
  using one = await RawConnection.open(server.port);
  using other = await RawConnection.open(server.port);
  for (const connection of [one, other, one, other]) {
    assert.equal((await connection.ask(bytes)).status, 200);
  }
  changeGgal(server);
  for (const connection of [one, other]) {
    assert.match((await connection.ask(bytes)).body, /"ultimo":1\.25/);
  }
  await server.revoke(key);
  for (const connection of [one, other]) assert.equal((await connection.ask(bytes)).status, 401);
});

test('a changed quote is in the next response to the same request', async () => {
  await using server = await startTestServer();
  using connection = await RawConnection.open(server.port);
  const bytes = get('/cotizaciones?especie=GGAL', server.key);
  const before = await connection.ask(bytes);
  changeGgal(server);
  const after = await connection.ask(bytes);
  assert.match(after.body, /"ultimo":1\.25/);
  assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
});

test('both carriers send the same limit headers and the same refusal to a limited key', async () => {
  const limit = { requests: 3, seconds: 3_600, burst: 3 };
  const plans = new RatePlans({ plans: new Map([['free', limit]]), defaultPlan: 'free' });
  await using server = await startTestServer({ rateLimits: new RateLimits({ plans }) });
  using bySocket = await RawConnection.open(server.port);
  using byNode = await RawConnection.openAtNode(server.port);
  const bytes = get(quotes, server.key);
  assert.equal((await bySocket.ask(bytes)).headers.get('ratelimit'), '"free";r=2;t=1200');
  assert.equal((await byNode.ask(bytes)).headers.get('ratelimit'), '"free";r=1;t=2400');
  assert.equal((await bySocket.ask(bytes)).status, 200);
  const refused = await bySocket.ask(bytes);
  assert.equal(refused.status, 429);
  assert.deepEqual(comparable(refused), comparable(await byNode.ask(bytes)));
  const lines = server.logged.filter(({ status }) => status === 429);
  assert.deepEqual(
    lines.map(({ path, remote, method }) => ({ path, remote, method })),
    Array.from({ length: 2 }, () => ({
      path: '/cotizaciones',
      remote: '127.0.0.1',
      method: 'GET',
    })),
  );
});

test('both carriers log a refusal with the client address that a proxy reports', async () => {
  await using server = await startTestServer({
    transport: { proxies: addressRanges(['127.0.0.1', '10.0.0.0/8']) },
  });
  using bySocket = await RawConnection.open(server.port);
  using byNode = await RawConnection.openAtNode(server.port);
  for (const lines of [
    ['X-Forwarded-For: 198.51.100.7, 203.0.113.9, 10.1.2.3'],
    ['Forwarded: for=203.0.113.9, for=10.1.2.3'],
    ['X-Forwarded-For: 10.1.2.3'],
    ['X-Forwarded-For: unknown'],
    ['X-Forwarded-For: 203.0.113.9', 'Forwarded: for=203.0.113.8'],
    [],
  ]) {
    const bytes = get('/cotizaciones', server.key, lines);
    await bySocket.ask(bytes);
    await byNode.ask(bytes);
    const [one, other] = server.logged.slice(-2);
    assert.equal(one?.['remote'], other?.['remote'], lines.join());
    assert.equal(one?.['keyId'], other?.['keyId']);
  }
});

/** A history whose reads the test delays. */
function heldHistory(): {
  readonly history: PublicServerParts['history'];
  readonly asked: Promise<void>;
  answer(): void;
  fail(): void;
} {
  const asked = deferred<void>();
  const series = deferred<Awaited<ReturnType<SeriesReader['readSeries']>>>();
  const empty = {
    days: new Int32Array(),
    closes: new Float64Array(),
    volumes: new Float64Array(),
  };
  return {
    asked: asked.promise,
    answer: () => series.resolve(empty),
    fail: () => series.reject(new Error('the disk is gone')),
    history: {
      readSeries: () => {
        asked.resolve();
        return series.promise;
      },
      readBars: () => Promise.reject(new Error('not requested')),
      countCloses: () => Promise.reject(new Error('not requested')),
    },
  };
}

/** Starts a server, and a client that waits for a series that the server reads. */
async function startWaiting(): Promise<
  AsyncDisposable & {
    readonly server: TestServer;
    readonly connection: RawConnection;
    readonly held: ReturnType<typeof heldHistory>;
  }
> {
  await using cleanUp = new AsyncDisposableStack();
  const held = heldHistory();
  const server = cleanUp.use(await startTestServer({ history: held.history }));
  const connection = cleanUp.use(await RawConnection.open(server.port));
  connection.socket.write(get(history, server.key));
  await held.asked;
  const running = cleanUp.move();
  return { server, connection, held, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

test('a request waits until its series is read, and the next response comes after it', async () => {
  await using waiting = await startWaiting();
  const { server, connection, held } = waiting;
  connection.socket.write(get(quotes, server.key));
  await sleep(5);
  held.answer();
  assert.equal((await connection.next()).body, '[]');
  assert.match((await connection.next()).body, /GGAL/);
});

test('contract 7.1: a series that cannot be read gets 500 and is logged, and the connection stays open', async () => {
  await using waiting = await startWaiting();
  const { server, connection, held } = waiting;
  held.fail();
  assert.equal((await connection.next()).status, 500);
  assert.equal(server.logged.filter(({ level }) => level === 'error').length, 1);
  assert.equal((await connection.ask(get(quotes, server.key))).status, 200);
});

test('a series that cannot be read counts as one request of the limit, and is read once', async () => {
  let reads = 0;
  const held = heldHistory();
  const readSeries = async (): Promise<never> => {
    reads += 1;
    throw new Error('the disk is gone');
  };
  const limit = { requests: 4, seconds: 3_600, burst: 4 };
  const plans = new RatePlans({ plans: new Map([['free', limit]]), defaultPlan: 'free' });
  await using server = await startTestServer({
    history: { ...held.history, readSeries },
    rateLimits: new RateLimits({ plans }),
  });
  using connection = await RawConnection.open(server.port);
  const { status, headers } = await connection.ask(get(history, server.key));
  assert.equal(status, 500);
  assert.match(headers.get('ratelimit') ?? '', /r=3;/);
  assert.equal(reads, 1);
});

test('contract 7.1: a defect gets 500 and is logged, and the connection stays open', async (t) => {
  await using server = await startTestServer();
  const defect = t.mock.method(server.board, 'view', () => assert.fail('a mistake'));
  using bySocket = await RawConnection.open(server.port);
  using byNode = await RawConnection.openAtNode(server.port);
  const bytes = get('/cotizaciones?especie=YPFD', server.key);
  const [one, other] = [await bySocket.ask(bytes), await byNode.ask(bytes)];
  assert.equal(one.status, 500);
  assert.deepEqual(comparable(one), comparable(other));
  const [first, second] = server.logged.filter(({ level }) => level === 'error');
  assert.deepEqual({ ...first, err: '' }, { ...second, err: '' });
  defect.mock.restore();
  assert.equal((await bySocket.ask(get(panel, server.key))).status, 200);
});

test('a client that half-closes while its series is read gets its response, and the connection closes', async () => {
  const held = heldHistory();
  await using server = await startTestServer({ history: held.history });
  using connection = await RawConnection.open(server.port);
  connection.socket.end(get(history, server.key));
  await held.asked;
  await sleep(5);
  held.answer();
  assert.equal((await connection.next()).body, '[]');
  await connection.ended();
});

test('a connection whose series is never read is closed after stalledSocketMs', async () => {
  const held = heldHistory();
  await using server = await startTestServer({
    history: held.history,
    limits: { stalledSocketMs: 60, timeoutCheckMs: 20 },
  });
  using connection = await RawConnection.open(server.port);
  connection.socket.write(get(history, server.key));
  await connection.ended();
});

test('a client that disconnects while its series is read does not affect others', async () => {
  await using waiting = await startWaiting();
  const { server, connection, held } = waiting;
  connection.socket.destroy();
  await sleep(5);
  held.answer();
  using other = await RawConnection.open(server.port);
  assert.equal((await other.ask(get(quotes, server.key))).status, 200);
});

test('contract 7.2: a stopping server responds to a client that waits for a series, and closes idle connections', async () => {
  const held = heldHistory();
  const server = await startTestServer({ history: held.history });
  using waiting = await RawConnection.open(server.port);
  using silent = await RawConnection.open(server.port);
  using idle = await RawConnection.open(server.port);
  await idle.ask(get(quotes, server.key));
  waiting.socket.write(get(history, server.key));
  await held.asked;
  const stopped = server[Symbol.asyncDispose]();
  await Promise.all([silent.ended(), idle.ended()]);
  held.answer();
  assert.equal((await waiting.next()).status, 200);
  await waiting.ended();
  await stopped;
});

test('a connection without a further request is closed after the announced time', async () => {
  await using server = await startTestServer({
    limits: { keepAliveTimeoutMs: 100, timeoutCheckMs: 20, headersTimeoutMs: 60_000 },
  });
  using connection = await RawConnection.open(server.port);
  const begun = performance.now();
  await connection.ask(get(quotes, server.key));
  await connection.ended();
  assert.ok(performance.now() - begun >= 100);
});

/** Starts a server with a response that is longer than the socket buffers. */
async function startLong(parts: Partial<PublicServerParts>): Promise<TestServer> {
  const closes = 240_000;
  const long = {
    days: Int32Array.from({ length: closes }, (_, day) => day - closes + 20_000),
    closes: new Float64Array(closes).fill(1234.5),
    volumes: new Float64Array(closes).fill(1),
  };
  const { history: reader } = heldHistory();
  return startTestServer({ history: { ...reader, readSeries: async () => long }, ...parts });
}

const longHistory = '/historicos?especie=GGAL&desde=0001-01-01&hasta=9999-12-31';

test('a large response that its client does not read stops the next one, and is complete when it is read', async () => {
  await using server = await startLong({});
  const bytes = get(longHistory, server.key);
  using connection = await RawConnection.open(server.port);
  const whole = await connection.ask(bytes);
  assert.ok(whole.body.length > 10_000_000);
  connection.socket.pause();
  connection.socket.write(bytes);
  await sleep(50);
  connection.socket.write(bytes);
  await sleep(50);
  connection.socket.resume();
  for (const answer of [await connection.next(), await connection.next()]) {
    assert.equal(answer.body, whole.body);
  }
});

test('a client that read a response slowly has the full time for its next request', async () => {
  await using server = await startLong({
    limits: { keepAliveTimeoutMs: 1_500, timeoutCheckMs: 20 },
  });
  using connection = await RawConnection.open(server.port);
  connection.socket.pause();
  connection.socket.write(get(longHistory, server.key));
  await sleep(1_800);
  connection.socket.resume();
  await connection.next();
  assert.equal((await connection.ask(get(quotes, server.key))).status, 200);
});

test('the time of a response ends when its client has read it', async () => {
  const seconds: number[] = [];
  await using server = await startLong({
    observer: { answered: (answer) => void seconds.push(answer.seconds), keyRefused: () => {} },
  });
  using fast = await RawConnection.open(server.port);
  await fast.ask(get(longHistory, server.key));
  // A new connection: the kernel enlarges the buffers of one that was read fast, up to the whole response.
  using connection = await RawConnection.open(server.port);
  connection.socket.pause();
  connection.socket.write(get(longHistory, server.key));
  await sleep(200);
  assert.equal(seconds.length, 1);
  connection.socket.resume();
  await connection.next();
  assert.equal((await connection.ask(get(quotes, server.key))).status, 200);
  assert.equal(seconds.length, 3);
  assert.ok((seconds[1] ?? 0) >= 0.15);
});

test('a limit on the request line applies to both carriers', async () => {
  await using server = await startTestServer({ limits: { requestLineBytesMax: 1_024 } });
  using bySocket = await RawConnection.open(server.port);
  using byNode = await RawConnection.openAtNode(server.port);
  const bytes = get(`/cotizaciones?especie=${'A'.repeat(1_500)}`, server.key);
  const [one, other] = [await bySocket.ask(bytes), await byNode.ask(bytes)];
  assert.equal(one.status, 414);
  assert.deepEqual(comparable(one), comparable(other));
});

test('over TLS both carriers give the same responses', { skip: noTls }, async () => {
  const certificate = new Certificate(made ?? assert.fail());
  await using server = await startTestServer({ transport: { certificate } });
  const open = async (): Promise<RawConnection> => {
    const options = { port: server.port, host: '127.0.0.1', rejectUnauthorized: false };
    const socket = connectTls({ ...options, ALPNProtocols: ['http/1.1'] });
    await once(socket, 'secureConnect');
    return new RawConnection(socket);
  };
  using bySocket = await open();
  using byNode = await open();
  await byNode.passToNode();
  for (const target of [quotes, history, '/cotizaciones']) {
    const bytes = get(target, server.key);
    const [one, other] = [await bySocket.ask(bytes), await byNode.ask(bytes)];
    assert.deepEqual(comparable(one), comparable(other));
    assert.ok(one.headers.has('strict-transport-security'));
  }
});

test('a response has the date of its creation', async () => {
  await using server = await startTestServer();
  using connection = await RawConnection.open(server.port);
  const { headers } = await connection.ask(get(quotes, server.key));
  assert.equal(headers.get('date'), new Date(testNow).toUTCString());
});
