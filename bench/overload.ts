/**
 * The behaviour of a saturated service: an open loop sends three times as many requests as it can process.
 * Another key sends each request over a new connection. Each request is for 100 tickers that were not
 * requested together before, so it is expensive for the server and cheap for the client. The rival is
 * `node:http` with the same work per request and no limit.
 *
 * The bench prints the rate of 200 responses during the overload as a share of the peak, the other requests
 * by their outcome, the response times over new connections, and the time after the overload until a new
 * connection gets a response within 50 ms again. It needs two cores and `taskset`.
 *
 * Usage: node bench/overload.ts [SECONDS]
 */
import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { createKey } from '../src/node/keys/keys.ts';
import { freePort } from './compare/free-port.ts';
import { HttpConnection } from './support/http-connection.ts';
import { PinnedProcess, cores } from './support/pinned-process.ts';
import { figure, say } from './support/print.ts';
import { seededRandom } from './support/random.ts';
import { scratchDirectory } from './support/scratch-directory.ts';
import { median } from './support/statistics.ts';

const launcher = new URL('../bin/pizarra', import.meta.url).pathname;
const seconds = Number(process.argv[2] ?? 5);
const overload = 3;
const connectionsAtPeak = 32;
/** Maximum number of connections. It is below the limit of one address. */
const connectionsMax = 800;
const tickersEach = 100;
const requestsMany = 20_000;
const newConnectionEveryMs = 20;
const newConnectionMsMax = 1_000;
const wellMs = 50;
const recoveryMsMax = 10_000;

interface Target {
  readonly name: string;
  readonly port: number;
  readonly requests: readonly string[];
  /** The request of another client. */
  readonly other: string;
}

execFileSync('taskset', ['-cp', String(cores.load), String(process.pid)]);
await using directory = await scratchDirectory();
const keys = {
  loaded: (await createKey(directory.path, { name: 'loaded', scope: 'read' })).key,
  other: (await createKey(directory.path, { name: 'other', scope: 'read' })).key,
};
let microsecondsEach = 0;
{
  const port = await freePort();
  const args = ['serve', '--port', String(port), '--private-port', '0', '--data', directory.path];
  await using program = start(launcher, [...args, '--log-format', 'json']);
  await program.listens(port);
  const other = requestFor('GGAL', keys.other);
  const target = { name: 'Pizarra', port, requests: await makeRequests(port), other };
  microsecondsEach = 1e6 / (await measure(target));
}
{
  const port = await freePort();
  const code = `const body = Buffer.alloc(20_000, 'x');
    require('node:http').createServer((request, response) => {
      const end = performance.now() + (request.url.length > 100 ? ${microsecondsEach / 1_000} : 0);
      while (performance.now() < end);
      response.end(body);
    }).listen(${port}, '127.0.0.1')`;
  await using program = start(process.execPath, ['-e', code]);
  await program.listens(port);
  const requests = [`GET /${'x'.repeat(600)} HTTP/1.1\r\nHost: x\r\n\r\n`];
  const other = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  await measure({ name: 'node:http', port, requests, other });
}

function start(command: string, args: readonly string[]): PinnedProcess {
  return new PinnedProcess({ core: cores.server, command, args });
}

function requestFor(tickers: string, key: string): string {
  return `GET /cotizaciones?especie=${encodeURIComponent(tickers)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

async function makeRequests(port: number): Promise<readonly string[]> {
  const list = await fetch(`http://127.0.0.1:${port}/especies.txt`, {
    headers: { authorization: `Bearer ${keys.loaded}` },
  });
  const tickers = (await list.text()).trim().split('\n');
  const random = seededRandom(1);
  return Array.from({ length: requestsMany }, () => {
    const from = Array.from({ length: tickersEach }, () => Math.floor(random() * tickers.length));
    return requestFor(from.map((at) => tickers[at]).join(','), keys.loaded);
  });
}

/** Measures one target, and returns its peak in requests per second. */
async function measure(target: Target): Promise<number> {
  const { name, requests } = target;
  await closedLoop(target, seconds / 2);
  const peak = await closedLoop(target, seconds);
  say(`\n${name}: ${figure(peak)} requests/s at its peak, ${connectionsAtPeak} in flight`);
  const others: Outcome[] = [];
  const stopping = new AbortController();
  const asking = askOverNewConnections(target, others, stopping.signal);
  const statuses = await openLoop(target, peak * overload);
  const ended = performance.now();
  stopping.abort();
  await asking;
  const good = (statuses.get(200) ?? 0) / seconds;
  say(`  goodput under ${overload} times as many: ${figure((100 * good) / peak)} % of the peak`);
  for (const [status, count] of statuses) {
    say(
      `  ${status === 0 ? 'no response, or not sent' : status}: ${figure(count / seconds)} requests/s`,
    );
  }
  const answered = others.filter(({ status }) => status === 200);
  const times = answered.map(({ ms }) => ms);
  say(
    `  another client, each request over a new connection: ${answered.length} of ${others.length} answered within ${newConnectionMsMax} ms, p50 ${figure(median(times))} ms, most ${figure(Math.max(0, ...times))} ms`,
  );
  say(`  recovered after ${figure(await recovery(target, ended))} ms`);
  return peak;

  async function recovery(of: Target, since: number): Promise<number> {
    while (performance.now() - since < recoveryMsMax) {
      const { status, ms } = await askOnce(of);
      if (status === 200 && ms < wellMs) return performance.now() - since;
      await sleep(10);
    }
    return Number.NaN;
  }

  async function closedLoop({ port }: Target, duration: number): Promise<number> {
    const open = await Promise.all(
      Array.from({ length: connectionsAtPeak }, () => HttpConnection.open(port)),
    );
    const end = performance.now() + duration * 1_000;
    let count = 0;
    await Promise.all(
      open.map(async (connection) => {
        while (performance.now() < end) {
          await exchange(connection, requests[count % requests.length] ?? '');
          count += 1;
        }
        connection[Symbol.dispose]();
      }),
    );
    return count / duration;
  }
}

function exchange(connection: HttpConnection, request: string): Promise<number> {
  return new Promise((resolve) => connection.exchange(request, resolve));
}

/** Sends requests at a rate, independently of the responses. Returns the number of requests by status. */
async function openLoop(
  { port, requests }: Target,
  perSecond: number,
): Promise<ReadonlyMap<number, number>> {
  const idle = await Promise.all(
    Array.from({ length: connectionsMax }, () => HttpConnection.open(port)),
  );
  const all = [...idle];
  const statuses = new Map<number, number>();
  const count = Math.floor(perSecond * seconds);
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  let sent = 0;
  let answered = 0;
  while (performance.now() < end) {
    const due = Math.min(count, Math.floor(((performance.now() - begun) / 1_000) * perSecond));
    for (; sent < due; sent += 1) {
      const connection = idle.pop();
      if (connection === undefined) break;
      connection.exchange(requests[sent % requests.length] ?? '', (status) => {
        idle.push(connection);
        if (performance.now() > end) return;
        answered += 1;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      });
    }
    await nextTurn();
  }
  statuses.set(0, count - answered);
  for (const connection of all) connection[Symbol.dispose]();
  return statuses;
}

interface Outcome {
  readonly status: number;
  readonly ms: number;
}

async function askOverNewConnections(
  target: Target,
  outcomes: Outcome[],
  signal: AbortSignal,
): Promise<void> {
  const asked: Promise<unknown>[] = [];
  while (!signal.aborted) {
    asked.push(askOnce(target).then((outcome) => outcomes.push(outcome)));
    await sleep(newConnectionEveryMs);
  }
  await Promise.all(asked);
}

/** Sends one request over a new connection. The status is 0 when no response starts in time. */
function askOnce({ port, other }: Target): Promise<Outcome> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (status: number): void => {
      clearTimeout(late);
      socket.destroy();
      resolve({ status, ms: performance.now() - begun });
    };
    const late = setTimeout(() => finish(0), newConnectionMsMax);
    socket.on('connect', () => socket.write(other));
    socket.on('data', (chunk: Buffer) => finish(Number(chunk.toString('latin1', 9, 12))));
    socket.on('error', () => finish(0));
  });
}
