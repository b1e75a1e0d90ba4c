import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createKey } from '../../src/node/keys/keys.ts';
import type { DailyClose } from '../../src/domain/history/daily-close.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { openStream } from '../support/http/event-stream.ts';
import {
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { RawConnection } from '../support/http/raw-connection.ts';
import { once, until } from '../support/wait.ts';
import { openTestStore, storeAt } from '../support/program/test-store.ts';
import { testStamp } from '../support/market/test-change.ts';

/**
 * Number of closes whose response, about 12 MB, exceeds the buffers of two sockets. The response is under
 * way as long as the client does not read.
 */
const closesMany = 200_000;

async function install(): Promise<
  AsyncDisposable & { readonly data: string; readonly key: string }
> {
  const directory = await temporaryDirectory();
  const data = directory.path;
  {
    await using store = await openTestStore(data);
    const closes = Array.from({ length: closesMany }, (_, at) => ({
      day: 20_000 - closesMany + at,
      close: 123_456.789,
      volume: null,
    })) as unknown as readonly DailyClose[];
    await store.history.transaction(
      (transaction) => transaction.put('BTC' as Ticker, closes),
      testStamp,
    );
  }
  const { key } = await createKey(storeAt(data), { name: 'x', scope: 'read' });
  return { data, key, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

/** Requests the long response, and reads only its head. */
async function beginSlowRequest({ url }: RunningService, key: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
  const target = `${url}/historicos?especie=BTC&desde=0001-01-01&hasta=9999-12-31`;
  const outgoing = request(target, { headers, agent: false }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.pause();
  assert.equal(response.statusCode, 200);
  return response;
}

/** Waits for the end of a stopping service without another signal, which would end it at once. */
async function exitCode({ child }: RunningService): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

async function refusesConnections(url: string): Promise<void> {
  await until('connections are refused', async () => {
    try {
      await (await fetch(`${url}/healthz`)).body?.cancel();
      return false;
    } catch {
      return true;
    }
  });
}

test('on SIGTERM responses under way are completed, new requests refused, streams ended with a retry time, and the exit code is 0', async () => {
  await using place = await install();
  await using service = await startPizarra(['--store', place.data]);
  using stream = await openStream(`${service.url}/cotizaciones/stream?panel=LID`, {
    authorization: `Bearer ${place.key}`,
  });
  const slow = await beginSlowRequest(service, place.key);
  service.child.kill('SIGTERM');
  await stream.ended();
  assert.ok((stream.retries.at(-1) ?? 0) > 0);
  await refusesConnections(service.url);
  assert.equal(service.child.exitCode, null, 'the stop waits for the slow request');
  // SIGHUP during the stop has no effect.
  service.child.kill('SIGHUP');
  const body = (await slow.toArray()) as Buffer[];
  const rows = JSON.parse(Buffer.concat(body).toString()) as unknown[];
  assert.equal(rows.length, closesMany);
  assert.equal(await exitCode(service), 0);
  assert.match(service.stderr(), /"msg":"service stopped"/);
});

test('a client that never finishes reading delays a stop by at most drainMs', async () => {
  await using place = await install();
  await using service = await startPizarra(['--store', place.data, '--drain-ms', '200']);
  const slow = await beginSlowRequest(service, place.key);
  const cut = once(slow, 'error');
  assert.equal(await service.stop(), 0);
  slow.resume();
  await cut;
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`a second signal, ${signal}, ends the service at once`, async () => {
    await using place = await install();
    await using service = await startPizarra(['--store', place.data, '--drain-ms', '600000']);
    const slow = await beginSlowRequest(service, place.key);
    slow.on('error', () => undefined);
    service.child.kill('SIGTERM');
    await service.logged('"msg":"service stopping"');
    service.child.kill(signal);
    assert.equal(await service.stop(), null);
    assert.equal(service.child.signalCode, signal);
  });
}

/** Sends requests continuously on a kept connection, and opens another one when the service closes it. */
async function pollUntilRefused(
  port: number,
  bytes: string,
): Promise<{ readonly answers: number; readonly closing: number; readonly faults: string[] }> {
  const outcome = { answers: 0, closing: 0, faults: [] as string[] };
  for (;;) {
    let connection: RawConnection;
    try {
      connection = await RawConnection.open(port);
    } catch (fault) {
      // The kernel resets a connection that it completes between the last accept and the close of the
      // listening socket. No request was sent on it, so it is a refused connection.
      const { code = '' } = fault as NodeJS.ErrnoException;
      if (code !== 'ECONNREFUSED' && code !== 'ECONNRESET') throw fault;
      return outcome;
    }
    using open = connection;
    try {
      for (let isKept = true; isKept;) {
        const { status, headers, body } = await open.ask(bytes);
        if (status !== 200) outcome.faults.push(`status ${status} ${body}`);
        outcome.answers += 1;
        isKept = headers.get('connection') !== 'close';
      }
      outcome.closing += 1;
    } catch (fault) {
      outcome.faults.push(String(fault));
    }
  }
}

/** Suspends a process some times during its stop. */
async function suspendOften(pid: number, times: number, ms: number): Promise<void> {
  try {
    for (let time = 1; time <= times; time += 1) {
      await sleep(10 * time);
      process.kill(pid, 'SIGSTOP');
      await sleep(ms);
      process.kill(pid, 'SIGCONT');
    }
  } catch {
    // It has ended.
  }
}

/** The worker process of a service of two processes. */
async function workerOf({ child: { pid } }: RunningService): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return Number(children.trim().split(' ').at(-1));
}

for (const [workers, how, suspend] of [
  [1, 'stops', undefined],
  [2, 'stops', undefined],
  // For longer than `drainIdleMs`.
  [1, 'stops and is suspended meanwhile', ({ child }) => suspendOften(child.pid ?? 0, 4, 1_100)],
  // So that the processes do not take the steps of the stop at the same time.
  [2, 'stops and a worker is slower', async (one) => suspendOften(await workerOf(one), 12, 120)],
] as readonly (readonly [
  number,
  string,
  ((service: RunningService) => Promise<void>) | undefined,
])[]) {
  test(`contract 7.2: no request of 16 busy clients fails when a service of ${workers} processes ${how}`, async () => {
    await using directory = await temporaryDirectory();
    const { path: data } = directory;
    const { key } = await createKey(storeAt(data), { name: 'x', scope: 'read' });
    const flags = ['--store', data, '--workers', String(workers), '--drain-idle-ms', '1000'];
    await using service = await startPizarra(flags);
    const port = Number(new URL(service.url).port);
    const lines = ['Host: x', `Authorization: Bearer ${key}`, '', ''].join('\r\n');
    // The fast path serves half of the clients, and Node's HTTP server the other half.
    const polls = Array.from({ length: 16 }, (_, at) => {
      const target = at % 2 === 0 ? '/cotizaciones?panel=LID' : '/especies.txt';
      return pollUntilRefused(port, `GET ${target} HTTP/1.1\r\n${lines}`);
    });
    await sleep(50);
    const exit = once(service.child, 'exit');
    service.child.kill('SIGTERM');
    const suspensions = suspend?.(service);
    for (const { answers, closing, faults } of await Promise.all(polls)) {
      assert.deepEqual(faults, []);
      assert.ok(answers > 0 && closing > 0);
    }
    assert.deepEqual(await exit, [0, null]);
    await suspensions;
  });
}
