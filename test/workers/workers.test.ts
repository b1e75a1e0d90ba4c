import assert from 'node:assert/strict';
import { pushPrice } from '../support/http/ask-service.ts';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { createKey } from '../../src/node/keys/keys.ts';
import type { KeyScope } from '../../src/domain/access/api-key.ts';
import { openStream } from '../support/http/event-stream.ts';
import {
  runPizarra,
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { KeptConnections, childrenOf, gone } from './kept-connections.ts';
import { once, until } from '../support/wait.ts';
import { isInPostgres, storeAt } from '../support/program/test-store.ts';

/** A path whose instrument's market is open at any time the test runs. */
const one = '/cotizaciones?especie=BTC';

/** Starts a service of several processes, with a key of each scope. */
async function start(
  workers: number,
  options: { readonly args?: readonly string[] } = {},
): Promise<
  AsyncDisposable & {
    readonly service: RunningService;
    readonly data: string;
    readonly readKey: string;
    readonly push: (last: number) => Promise<void>;
    readonly metric: (series: string) => Promise<number>;
  }
> {
  await using cleanUp = new AsyncDisposableStack();
  const { path: data } = cleanUp.use(await temporaryDirectory());
  const makeKey = async (scope: KeyScope): Promise<string> =>
    (await createKey(storeAt(data), { name: scope, scope })).key;
  const readKey = await makeKey('read');
  const ingestKey = await makeKey('ingest');
  const metricsKey = await makeKey('metrics');
  const args = ['--store', data, '--workers', String(workers), ...(options.args ?? [])];
  const service = cleanUp.use(await startPizarra(args));
  const running = cleanUp.move();
  return {
    service,
    data,
    readKey,
    push: async (last) => {
      const pushed = await pushPrice(service, ingestKey, last);
      assert.equal(pushed.status, 200, await pushed.text());
    },
    metric: async (series) => {
      const headers = { authorization: `Bearer ${metricsKey}` };
      const answer = await fetch(`${service.privateUrl}/metrics`, { headers });
      const lines = (await answer.text()).split('\n').filter((line) => line.startsWith(series));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The service of three processes that several tests share. None of them leaves anything that another one sees. */
let shared: ReturnType<typeof start> | undefined;

function sharedPlace(): ReturnType<typeof start> {
  shared ??= start(3);
  return shared;
}

after(async () => (await shared)?.[Symbol.asyncDispose]());

const shows =
  (last: number) =>
  ({ body }: { readonly body: string }): boolean =>
    body.includes(`"ultimo":${last},`);

test('every process serves a pushed update with the same body and the same ETag', async () => {
  const place = await sharedPlace();
  using connections = new KeptConnections(place.service.url, place.readKey);
  assert.equal(await place.metric('pizarra_processes '), 3);
  assert.equal(childrenOf(place.service.child.pid).length, 2);
  for (const last of [101, 102.5, 103]) {
    await place.push(last);
    await connections.until(one, shows(last));
    const answers = await connections.ask(one);
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1);
    assert.equal(new Set(answers.map(({ headers }) => headers.etag)).size, 1);
  }
  const bars = '/intradiarios?especie=BTC&intervalo=60m';
  await connections.until(bars, shows(103));
  assert.equal(new Set((await connections.ask(bars)).map(({ body }) => body)).size, 1);
  const answered = 'pizarra_http_request_duration_seconds_count{listener="public"';
  assert.ok((await place.metric(answered)) >= 6 * KeptConnections.count);
});

test('the maximum of streams of a key counts those of all processes', async () => {
  await using place = await start(3, { args: ['--streams-per-key-max', '6'] });
  const headers = { authorization: `Bearer ${place.readKey}` };
  const url = `${place.service.url}/cotizaciones/stream?especie=BTC`;
  const streams = await Promise.all(Array.from({ length: 6 }, () => openStream(url, headers)));
  const states = new Set(streams.map(({ status }) => status));
  assert.deepEqual([...states], [200]);
  // The processes report their streams to each other within milliseconds.
  await until('every process refuses a further stream', async () => {
    const further = await Promise.all(Array.from({ length: 12 }, () => openStream(url, headers)));
    for (const stream of further) stream[Symbol.dispose]();
    return further.every(({ status }) => status === 429);
  });
  streams[0]?.[Symbol.dispose]();
  await until('one stream is free again', async () => {
    const stream = await openStream(url, headers);
    stream[Symbol.dispose]();
    return stream.status === 200;
  });
  for (const stream of streams) stream[Symbol.dispose]();
});

test('a stream receives updates in any process', async () => {
  const place = await sharedPlace();
  const headers = { authorization: `Bearer ${place.readKey}` };
  const url = `${place.service.url}/cotizaciones/stream?especie=BTC`;
  const streams = await Promise.all(Array.from({ length: 12 }, () => openStream(url, headers)));
  const barred = await Promise.all(
    Array.from({ length: 6 }, () => openStream(`${url}&barras=1m`, headers)),
  );
  try {
    for (const last of [111, 112, 113]) await place.push(last);
    for (const stream of streams) {
      await stream.until(({ events }) => events.at(-1)?.data.includes('"ultimo":113,') === true);
      const versions = stream.events.map(({ id }) => Number(id));
      assert.deepEqual(
        versions,
        versions.toSorted((a, b) => a - b),
      );
    }
    for (const stream of barred) {
      await stream.until(({ events }) =>
        events.some(({ event, data }) => event === 'barra' && data.includes('"ultimo":113,')),
      );
    }
    assert.equal(await place.metric('pizarra_streams '), 18);
  } finally {
    for (const stream of [...streams, ...barred]) stream[Symbol.dispose]();
  }
});

test('when a worker is killed, only its own connections break, and replacing it', async () => {
  await using place = await start(2);
  await place.push(7);
  using connections = new KeptConnections(place.service.url, place.readKey);
  await connections.until(one, shows(7));
  const answered = 'pizarra_http_request_duration_seconds_count{listener="public"';
  const before = await place.metric(answered);
  const [killed] = childrenOf(place.service.child.pid);
  assert.ok(killed !== undefined);
  const underWay = connections.ask(one);
  process.kill(killed, 'SIGKILL');
  await underWay;
  await gone(killed);
  // The connections of the killed worker broke. Their clients get a response when they retry.
  await connections.ask(one);
  for (const answer of await connections.ask(one)) assert.equal(answer.status, 200);
  assert.ok(
    (await place.metric(answered)) >= before,
    'the counters of the killed worker are preserved',
  );
  assert.equal(await place.metric('pizarra_workers_ended_total '), 1);

  await until(
    'the worker is replaced',
    async () => (await place.metric('pizarra_processes ')) === 2,
  );
  using anew = new KeptConnections(place.service.url, place.readKey);
  await anew.until(one, shows(7));
  await place.push(8);
  await anew.until(one, shows(8));
});

test('when a worker is killed, the connections of other processes continue', async () => {
  await using place = await start(2);
  await place.push(7);
  const { port } = new URL(place.service.url);
  const head = `GET ${one} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${place.readKey}\r\n\r\n`;
  const sockets = Array.from({ length: KeptConnections.count }, () => connect(Number(port)));
  const askEach = (): Promise<readonly boolean[]> =>
    Promise.all(
      sockets.map(async (socket) => {
        if (socket.closed) return false;
        socket.on('error', () => undefined).write(head);
        const closed = once(socket, 'close').then(() => false);
        return Promise.race([once(socket, 'data').then(() => true), closed]).catch(() => false);
      }),
    );
  assert.deepEqual(new Set(await askEach()), new Set([true]));
  const [killed] = childrenOf(place.service.child.pid);
  assert.ok(killed !== undefined);
  process.kill(killed, 'SIGKILL');
  await gone(killed);
  const answered = await askEach();
  assert.deepEqual(new Set(answered), new Set([true, false]));
  // The other connections continue.
  assert.deepEqual(await askEach(), answered);
  for (const socket of sockets) socket.destroy();
});

test('workers end when the primary process is killed', async () => {
  await using place = await start(2);
  const workers = childrenOf(place.service.child.pid);
  assert.equal(workers.length, 1);
  await place.service.stop('SIGKILL');
  for (const pid of workers) await gone(pid);
});

test('after SIGHUP every process has the new universe, or none if the universe has faults', async () => {
  await using directory = await temporaryDirectory();
  const universe = join(directory.path, 'universe');
  await cp(join(import.meta.dirname, '../../universe'), universe, { recursive: true });
  await using place = await start(2, { args: ['--universe', universe] });
  using connections = new KeptConnections(place.service.url, place.readKey);
  await place.push(5);
  await connections.until(one, shows(5));
  const instruments = join(universe, 'instruments.csv');
  const held = await readFile(instruments, 'utf8');
  await writeFile(instruments, `${held}ZZZZ,Una especie nueva,share,BYMA,ARS,,,LID,,\n`);
  place.service.child.kill('SIGHUP');
  await connections.until('/especies.txt?panel=LID', ({ body }) => body.includes('ZZZZ'));
  await connections.until(one, shows(5));
  await place.push(6);
  await connections.until(one, shows(6));

  await writeFile(instruments, 'nothing of the kind\n');
  place.service.child.kill('SIGHUP');
  await place.service.logged('not reloaded');
  const lists = await connections.ask('/especies.txt?panel=LID');
  assert.ok(lists.every(({ body }) => body.includes('ZZZZ')));
});

test('every process ends the demonstration when real data arrives', async () => {
  await using directory = await temporaryDirectory();
  const data = directory.path;
  const args = ['--store', data, '--workers', '2', '--demonstration', 'auto'];
  await using service = await startPizarra(args);
  using connections = new KeptConnections(service.url, await service.firstKey());
  const source = 'data-source';
  await connections.until(one, ({ status, headers }) => {
    return status === 200 && headers[source] === 'simulated';
  });
  const csv = join(data, 'closes.csv');
  await writeFile(csv, 'ticker,date,close\nGGAL,2026-01-05,10\nGGAL,2026-01-06,11\n');
  const imported = await runPizarra(['import', csv, '--suffix', '', '--store', data]);
  assert.equal(imported.code, 0, imported.stderr);
  await connections.until(one, ({ headers }) => headers[source] === undefined);
  const year = '/historicos?especie=GGAL&desde=2026-01-01&hasta=2026-12-31';
  await connections.until(year, ({ body }) => body.includes('2026-01-06'));
  await writeFile(csv, 'ticker,date,close\nGGAL,2026-01-07,12\n');
  assert.equal((await runPizarra(['import', csv, '--suffix', '', '--store', data])).code, 0);
  await connections.until(year, ({ body }) => body.includes('2026-01-07'));
});

test('every process refuses a revoked key', async () => {
  const place = await sharedPlace();
  const { id, key } = await createKey(storeAt(place.data), { name: 'revoked', scope: 'read' });
  using connections = new KeptConnections(place.service.url, key);
  await connections.until(one, ({ status }) => status === 200);
  const revoked = await runPizarra(['keys', 'revoke', id, '--store', place.data]);
  assert.equal(revoked.code, 0, revoked.stderr);
  await connections.until(one, ({ status }) => status === 401);
});

test('with least rights, the workers have no further rights', async () => {
  await using place = await start(2, { args: ['--least-rights'] });
  using connections = new KeptConnections(place.service.url, place.readKey);
  await place.push(5);
  await connections.until(one, shows(5));
  const [worker] = childrenOf(place.service.child.pid);
  const flags = await readFile(`/proc/${worker}/cmdline`, 'utf8');
  assert.match(flags, /\0--permission\0/);
  // Over PostgreSQL no process of the service has files to write.
  assert.equal(flags.includes('\0--allow-fs-write='), !isInPostgres);
});

test('a service cannot listen on a port that another service shares with its workers', async () => {
  const place = await sharedPlace();
  await using other = await temporaryDirectory();
  const { port } = new URL(place.service.url);
  const flags = ['--store', other.path, '--port', port, '--private-port', '0', '--workers', '2'];
  const refused = await runPizarra(['serve', ...flags, '--demonstration', 'off']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /the port is in use/);
});

// The last test: it stops the service that the others share.
test('SIGTERM drains every process, and all of them end', async () => {
  const place = await sharedPlace();
  const { child } = place.service;
  const workers = childrenOf(child.pid);
  assert.equal(workers.length, 2);
  assert.equal(await place.service.stop(), 0);
  for (const pid of workers) await gone(pid);
  assert.match(place.service.stderr(), /"msg":"service stopped"/);
  assert.doesNotMatch(place.service.stderr(), /"level":"error"/);
});
