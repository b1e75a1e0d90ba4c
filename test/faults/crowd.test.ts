import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { pushedTickers } from './flat-universe.ts';
import { Installation, type FaultyService } from './installation.ts';
import { isLongRun } from './long-run.ts';
import { deferred, once } from '../support/wait.ts';

/** Number of idle connections, and of clients that read one byte a second of their responses. */
const idleCount = isLongRun ? 5_000 : 500;
const slowCount = isLongRun ? 500 : 50;

/** Time for which honest clients send requests, in ms. It is longer than the timeout of idle connections. */
const honestMs = isLongRun ? 20_000 : 2_500;

/** Flags for the timeout of idle connections. The long run uses the default. */
const timeouts = isLongRun ? [] : ['--headers-timeout-ms', '1000'];

/** All connections come from one address, this machine. */
const args = [...timeouts, '--connections-per-address-max', '10000'];

/** Number of connections that are opened at the same time. */
const openedAtOnce = 200;

/**
 * Number of responses that each slow client requests at once. They exceed the buffers of the kernel. The
 * slow clients share a key, so their requests only wait for each other.
 */
const pipelined = 60;

/** Number of days of history, which makes the responses long. */
const days = 2_000;

test('with thousands of idle and slow clients connected, every honest request gets the correct response', async (t) => {
  await using installation = await Installation.make();
  await using service = await installation.start({ args });
  await fillHistory(service);
  const expected = await service.quotes();

  // Close all connections even after a failure, so that the test ends.
  await using opened = new AsyncDisposableStack();
  const idle = await openMany(service, idleCount, opened);
  const letGo = Promise.all(idle.map((socket) => closing(socket)));
  const slow = await openMany(service, slowCount, opened);
  for (const socket of slow) {
    opened.adopt(readSlowly(socket, installation.keys.other), clearInterval);
  }

  let asked = 0;
  let slowestMs = 0;
  for (const end = performance.now() + honestMs; performance.now() < end; asked += 1) {
    const begun = performance.now();
    assert.deepEqual(await service.quotes(), expected);
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    if (asked % 20 === 0) {
      const { status, body } = await service.push([
        { ticker: pushedTickers[1] ?? '', at: '1990-01-01T12:00:00-03:00', last: 1 },
      ]);
      assert.equal(status, 200, body);
    }
    await sleep(5);
  }

  const late = idle.filter(({ closed }) => !closed).length;
  assert.equal(late, 0, `${late} idle connections are still open`);
  await letGo;
  assert.equal((await service.readiness()).status, 200);
  const memory = await residentMib(service);
  t.diagnostic(
    `${idleCount} idle, ${slowCount} slow: ${asked} honest requests, the slowest in ` +
      `${slowestMs.toFixed(0)} ms; ${memory.toFixed(0)} MiB in use`,
  );
});

/** Imports a history that makes the responses long. */
async function fillHistory(service: FaultyService): Promise<void> {
  const [ticker = ''] = pushedTickers;
  const from = Date.parse('1980-01-01T12:00:00-03:00');
  const updates = Array.from({ length: days }, (_, day) => ({
    ticker,
    at: new Date(from + day * 86_400_000).toISOString(),
    last: day + 1,
  }));
  const { status, body } = await service.push([
    ...updates,
    ...pushedTickers.slice(1).map((one) => ({
      ticker: one,
      at: '1990-01-02T12:00:00-03:00',
      last: 5,
    })),
  ]);
  assert.equal(status, 200, body);
}

/**
 * Opens connections in groups. If more connections than the backlog of the listener were opened at once,
 * some of them would only exist at the client.
 */
async function openMany(
  service: FaultyService,
  count: number,
  opened: AsyncDisposableStack,
): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const length = Math.min(openedAtOnce, count - sockets.length);
    const some = await Promise.all(Array.from({ length }, () => open(service)));
    for (const socket of some) sockets.push(opened.adopt(socket, (one) => void one.destroy()));
  }
  return sockets;
}

async function open(service: FaultyService): Promise<Socket> {
  const { hostname, port } = new URL(service.program.url);
  const socket = connect(Number(port), hostname);
  // The server is expected to close some of the connections.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Waits for the end of a connection. Either side may close it, with or without an error. */
async function closing(socket: Socket): Promise<void> {
  const { promise, resolve } = deferred<void>({ withinMs: 600_000 });
  if (socket.closed) resolve();
  socket.once('close', () => resolve()).resume();
  await promise;
}

/** Sends many requests, and reads one byte a second. */
function readSlowly(socket: Socket, key: string): NodeJS.Timeout {
  const path = `/historicos?especie=${pushedTickers[0]}&desde=1970-01-01&hasta=2100-01-01`;
  const ask = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  socket.pause();
  socket.write(ask.repeat(pipelined));
  return setInterval(() => void socket.read(1), 1_000);
}

async function residentMib({ pid }: FaultyService): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
