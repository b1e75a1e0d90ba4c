import assert from 'node:assert/strict';
import { connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import { test } from 'node:test';

import type { EpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { Certificate } from '../../src/http/carriers/connection/certificate.ts';
import type { PublicServerParts } from '../../src/http/public-server.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { RawConnection } from '../support/http/raw-connection.ts';
import { startTestServer, type TestServer } from '../support/http/start-test-server.ts';
import { deferred, once } from '../support/wait.ts';

const made = makeCertificate();
const noTls = made === undefined ? 'openssl is not installed' : false;

/** A table of many instruments: one is read in each slice. */
const table =
  '/historicos?especie=GGAL,AL30,GD30,AAPL_US,BTC&forma=larga&desde=2020-01-01&hasta=2026-11-20';
const later = '/historicos?especie=GGAL&forma=larga&desde=2026-11-01&hasta=2026-11-20';

function get(target: string, key: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** Starts a server whose history counts the reads, and answers the first one when the test lets it. */
async function startCounting(parts: Partial<PublicServerParts> = {}): Promise<
  AsyncDisposable & {
    readonly server: TestServer;
    readonly reads: () => number;
    readonly asked: Promise<void>;
    readonly answer: () => void;
  }
> {
  await using cleanUp = new AsyncDisposableStack();
  const { history } = cleanUp.use(await startTestServer()).store;
  const [asked, gate] = [deferred<void>(), deferred<void>()];
  let reads = 0;
  const server = await startTestServer({
    history: {
      readBars: (...args) => history.readBars(...args),
      countCloses: (...args) => history.countCloses(...args),
      readSeries: async (...args) => {
        reads += 1;
        asked.resolve();
        await gate.promise;
        return history.readSeries(...args);
      },
    },
    ...parts,
  });
  cleanUp.use(server);
  // Nothing that a test leaves behind waits.
  cleanUp.defer(() => gate.resolve());
  const running = cleanUp.move();
  return {
    server,
    reads: () => reads,
    asked: asked.promise,
    answer: () => gate.resolve(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** After a later read of the same client has been answered, all that came before it has ended. */
async function assertEnded({ server, reads }: Awaited<ReturnType<typeof startCounting>>) {
  assert.equal((await server.get(later)).status, 200);
  assert.equal(reads(), 2, 'the slice that was being read, and the later read');
}

for (const [carrier, open] of [
  ['the socket carrier', RawConnection.open.bind(RawConnection)],
  ["Node's server", RawConnection.openAtNode.bind(RawConnection)],
] as const) {
  test(`no slice is read any more for a client that has left, by ${carrier}`, async () => {
    await using counting = await startCounting();
    const { server } = counting;
    using connection = await open(server.port);
    connection.socket.write(get(table, server.key));
    await counting.asked;
    (connection.socket as Socket).resetAndDestroy();
    // What arrives later is read in a later turn.
    for (let round = 0; round < 3; round += 1) await server.get('/cotizaciones?especie=GGAL');
    counting.answer();
    await assertEnded(counting);
  });
}

test('no slice is read any more for a client that has closed its side for more than a second, by the socket carrier', async () => {
  await using counting = await startCounting({ limits: { timeoutCheckMs: 20 } });
  const { server } = counting;
  using connection = await RawConnection.open(server.port);
  connection.socket.end(get(table, server.key));
  await counting.asked;
  await connection.ended();
  counting.answer();
  await assertEnded(counting);
});

test(
  'no slice is read any more for a client that resets its stream, over HTTP/2',
  { skip: noTls },
  async () => {
    const certificate = new Certificate(made ?? assert.fail());
    await using counting = await startCounting({ transport: { certificate } });
    const { server } = counting;
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
    const stream = session.request({ ':path': table, authorization: `Bearer ${server.key}` });
    await counting.asked;
    stream.close();
    await once(stream, 'close');
    const ping = session.request({ ':path': '/healthz' });
    ping.resume();
    await once(ping, 'end');
    counting.answer();
    const next = session.request({ ':path': later, authorization: `Bearer ${server.key}` });
    next.resume();
    await once(next, 'end');
    assert.equal(counting.reads(), 2);
    session.destroy();
  },
);

test('contract 7.1: a request that waits for its turn to read for too long gets 503 with Retry-After', async () => {
  await using counting = await startCounting({ limits: { readWaitMsMax: 20 } });
  const { server } = counting;
  using busy = await RawConnection.open(server.port);
  busy.socket.write(get(table, server.key));
  await counting.asked;
  const refused = await server.get(`${table}&ajuste=splits`);
  assert.equal(refused.status, 503);
  assert.match(refused.header('retry-after') ?? '', /^\d+$/);
  counting.answer();
  assert.equal((await busy.next()).status, 200);
});

test('contract 7.2: at the end of the drain time a stop cancels what is read, and nothing fails', async () => {
  const counting = await startCounting({ limits: { drainMs: 50, drainIdleMs: 10 } });
  const { server } = counting;
  using busy = await RawConnection.open(server.port);
  using waiting = await RawConnection.open(server.port);
  busy.socket.write(get(table, server.key));
  await counting.asked;
  waiting.socket.write(get(`${table}&ajuste=splits`, server.key));
  const stopped = server[Symbol.asyncDispose]();
  await busy.ended();
  await waiting.ended();
  counting.answer();
  await stopped;
  assert.equal(counting.reads(), 1);
  assert.deepEqual(
    server.logged.filter(({ level }) => level === 'error'),
    [],
  );
  await counting[Symbol.asyncDispose]();
});

test('contract 4.5.6: a parameter that a path does not know does not make it read again', async () => {
  await using counting = await startCounting();
  const { server } = counting;
  counting.answer();
  const bodies = new Set<string>();
  for (const further of ['', '&_=1', '&_=2&formato=json', '&x']) {
    bodies.add((await server.get(later + further)).body);
  }
  assert.deepEqual([bodies.size, counting.reads()], [1, 1]);
  let versions = 0;
  const { memory, history } = server.store;
  const stamp = { origin: 'import', now: () => Date.parse('2026-11-19T00:00:00Z') } as const;
  const close = { day: 20_000 as EpochDay, close: 1, volume: null };
  await history.transaction((transaction) => transaction.put('GGAL' as Ticker, [close]), stamp);
  const readCloses = memory.readCloses.bind(memory);
  memory.readCloses = (...args) => {
    versions += 1;
    return readCloses(...args);
  };
  const known =
    '/historicos?especie=GGAL&desde=2026-11-01&hasta=2026-11-20&conocido=2026-11-20T20:00:00Z';
  for (const further of ['', '&_=1', '&panel=1', '&campo=2']) {
    assert.equal((await server.get(known + further)).status, 200);
  }
  assert.equal(versions, 1);
  assert.equal((await server.get('/cambios?especie=GGAL')).status, 200);
  const before = versions;
  assert.equal((await server.get('/cambios?especie=GGAL&_=1')).status, 200);
  assert.equal(before, 2);
  assert.equal(versions, before);
});
