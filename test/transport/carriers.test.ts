import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';

import { RatePlans } from '../../src/auth/rate-plans.ts';
import { RateLimits } from '../../src/http/admission/rate-limits.ts';
import { addressRanges } from '../../src/lib/network/address-ranges.ts';
import type { PublicServerParts } from '../../src/http/public-server.ts';
import type { SeriesReader } from '../../src/http/history/read-table.ts';
import { RawConnection } from '../support/http/raw-connection.ts';
import type { RawAnswer } from '../support/http/raw-http.ts';
import { startTestServer, testNow, type TestServer } from '../support/http/start-test-server.ts';
import { deferred } from '../support/wait.ts';

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

test('a response has the date of its creation', async () => {
  await using server = await startTestServer();
  using connection = await RawConnection.open(server.port);
  const { headers } = await connection.ask(get(quotes, server.key));
  assert.equal(headers.get('date'), new Date(testNow).toUTCString());
});
