/**
 * The cost of the sources. The program runs on one core. This process, on the other core, is the source and
 * the client.
 *
 * - Updates: 2,000 per second over a WebSocket, one in each message. The aim is less than a quarter of a core.
 *   Beside it run a client of the same WebSocket that only parses, and the same updates pushed to
 *   `POST /updates`. The sides take turns.
 * - Snapshot: 1,000 rows of one response over HTTP, from the moment when the source has sent them until all
 *   are in the stream. The aim is less than 50 ms. Beside it, the same rows are pushed in one request.
 *
 * Usage: taskset -c 1 node bench/updates/feeds.ts [ROUNDS] [SECONDS]
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { WebSocket } from 'ws';

import { loadUniverse } from '../../src/universe/load-universe.ts';
import { LocalSource, paced } from './source/local-source.ts';
import { readNumbers } from '../support/arguments.ts';
import { PinnedProcess, cores } from '../support/pinned-process.ts';
import { figure, say } from '../support/print.ts';
import { processorTime } from '../support/process-tree.ts';
import { startService, type RunningService } from '../support/running-service.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { spreadOf } from '../support/statistics.ts';
import { StreamClient } from '../support/stream-client.ts';

const { rounds, seconds } = readNumbers(import.meta.filename, { rounds: 7, seconds: 5 });

const perSecond = 2_000;
/** The updates of one request that pushes, which is one request each 10 ms. */
const pushedAtOnce = 20;
const snapshotRows = 1_000;

/** The instruments of the snapshot. */
const rowTickers = Array.from({ length: snapshotRows }, (_, row) => `ROW${row}`);
const rowInstruments = rowTickers.map((ticker) => `${ticker},${ticker},cedear,BYMA,ARS,,,CED,,`);

const loaded = await loadUniverse(new URL('../../universe/', import.meta.url).pathname);
if (!loaded.ok) throw new Error('the default universe has faults');
/** The securities of BYMA, which the source of the WebSocket has. */
const securities = loaded.universe.instruments
  .filter(({ kind, market }) => market === 'BYMA' && (kind === 'cedear' || kind === 'share'))
  .map(({ ticker }) => String(ticker));

/** The number of the latest update. It is part of its price, so that every update changes its quote. */
let latest = 0;

await using source = await LocalSource.start();
await measureUpdates();
await measureSnapshots();

/** A price that no other update has. */
function nextPrice(): number {
  latest += 1;
  // A response has at most four decimals of it.
  return (10_000_000 + latest) / 10_000;
}

function nextTicker(): string {
  return securities[latest % securities.length] ?? '';
}

async function measureUpdates(): Promise<void> {
  await using directory = await scratchDirectory();
  await using other = await scratchDirectory();
  const connecting = source.connection();
  await using service = await startWith(directory.path, {
    name: 'market',
    type: 'primary',
    url: source.socketUrl,
    key: { file: 'key' },
    secret: { file: 'key' },
    instruments: { include: securities },
  });
  const socket = await connecting;
  const bareConnecting = source.connection();
  await using bare = new PinnedProcess({
    core: cores.server,
    command: process.execPath,
    args: [new URL('source/bare-client.ts', import.meta.url).pathname, source.socketUrl],
  });
  const bareSocket = await bareConnecting;
  await using pushed = await startService(other.path);

  const sent = new Map<string, number>();
  const sides: readonly Side[] = [
    {
      name: 'Pizarra, over a WebSocket',
      pid: service.pid,
      run: () => sendAll(socket, sent),
    },
    {
      name: 'a client that only parses',
      pid: bare.pid,
      run: () => sendAll(bareSocket, new Map()),
    },
    {
      name: `Pizarra, ${pushedAtOnce} pushed at once`,
      pid: pushed.pid,
      run: () => pushAll(pushed),
    },
  ];
  const costs = new Map<Side, number[]>(sides.map((side) => [side, []]));
  for (const side of sides) await side.run();
  for (let round = 0; round < rounds; round += 1) {
    // Each round starts with another side, so a disturbance of the machine affects all sides equally.
    for (let turn = 0; turn < sides.length; turn += 1) {
      const side = sides[(round + turn) % sides.length];
      if (side !== undefined) costs.get(side)?.push(await shareOfCore(side));
    }
  }
  await untilShown(service, sent);
  bareSocket.close();
  const [received] = await bare.printed(/\d+ messages/);
  const expected = perSecond * seconds * (rounds + 1);
  if (received !== `${expected} messages`) throw new Error(`${received} of ${expected}`);
  say(`${figure(perSecond)} updates/s, as a share of a core (least and most of ${rounds} rounds):`);
  for (const side of sides) {
    const { median, least, most } = spreadOf(costs.get(side) ?? []);
    say(
      `  ${side.name.padEnd(28)} ${figure(median * 100)} % (${figure(least * 100)}–${figure(most * 100)}), ` +
        `${figure((median / perSecond) * 1e6)} µs an update`,
    );
  }
}

/** One of the programs that are compared. */
interface Side {
  readonly name: string;
  readonly pid: number;
  /** Sends it the updates of one round. */
  readonly run: () => Promise<void>;
}

/** The part of a core that a side needs for the updates of a round. */
async function shareOfCore({ pid, run }: Side): Promise<number> {
  const [before, begun] = [processorTime([pid]), performance.now()];
  await run();
  const elapsed = (performance.now() - begun) / 1_000;
  const after = processorTime([pid]);
  return (after.user + after.kernel - before.user - before.kernel) / elapsed;
}

/** Sends a message for each update. @param sent receives the last price of each ticker. */
async function sendAll(socket: WebSocket, sent: Map<string, number>): Promise<void> {
  await paced({ perSecond, seconds }, () => {
    const [price, ticker, now] = [nextPrice(), nextTicker(), Date.now()];
    sent.set(ticker, price);
    const marketData = {
      LA: { price, size: 10, date: now },
      OP: 1_000,
      HI: 1_100,
      LO: 999,
      NV: latest,
    };
    const instrumentId = { marketId: 'ROFX', symbol: `MERV - XMEV - ${ticker} - 24hs` };
    socket.send(JSON.stringify({ type: 'Md', timestamp: now, instrumentId, marketData }));
  });
}

async function pushAll(service: RunningService): Promise<void> {
  const under: Promise<void>[] = [];
  let lines: string[] = [];
  await paced({ perSecond, seconds }, () => {
    const [last, ticker, at] = [nextPrice(), nextTicker(), new Date().toISOString()];
    lines.push(
      JSON.stringify({ ticker, at, last, open: 1_000, high: 1_100, low: 999, volume: latest }),
    );
    if (lines.length < pushedAtOnce) return;
    under.push(push(service, lines.join('\n')));
    lines = [];
  });
  await Promise.all(under);
}

async function push({ privateUrl, keys }: RunningService, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${keys.ingest}` };
  const response = await fetch(`${privateUrl}/updates`, { method: 'POST', headers, body });
  const { received, accepted, unchanged } = (await response.json()) as Record<string, number>;
  // Requests that are under way together may overtake each other, and an older price changes nothing.
  if (received !== (accepted ?? 0) + (unchanged ?? 0))
    throw new Error(`refused some of ${received}`);
}

/** Waits until the service shows the last price of each ticker: nothing was lost. */
async function untilShown(
  service: RunningService,
  expected: ReadonlyMap<string, number>,
): Promise<void> {
  const missing = new Map(expected);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => {
    reject(new Error(`prices were lost: ${[...missing].slice(0, 5).join(' ')}`));
  }, 5_000);
  // A selection has at most 500 tickers.
  const tickers = [...missing.keys()];
  using first = await StreamClient.open(service, queryOf(tickers.slice(0, 500)));
  using second = await StreamClient.open(service, queryOf(tickers.slice(500)));
  for (const stream of [first, second]) {
    stream.onQuote = (ticker, price) => {
      if (missing.get(ticker) === price) missing.delete(ticker);
      if (missing.size === 0) resolve();
    };
  }
  await promise;
  clearTimeout(late);
}

function queryOf(tickers: readonly string[]): string {
  return `especie=${encodeURIComponent(tickers.join(','))}`;
}

async function measureSnapshots(): Promise<void> {
  await using directory = await scratchDirectory();
  await using second = await scratchDirectory();
  await using third = await scratchDirectory();
  const instruments = { include: rowTickers };
  const panel = '/live/arg_cedears';
  const table = '/table.json';
  // A panel without instants counts from its second response on: something has to have moved.
  const first = respondTo(panel, rowsNow());
  await using polled = await startWith(directory.path, {
    name: 'panel',
    type: 'data912',
    url: source.httpUrl,
    // The minimum of this source, and of the next one.
    pollSeconds: 20,
    instruments,
  });
  await using mapped = await startWith(second.path, {
    name: 'table',
    type: 'http',
    url: source.httpUrl + table,
    expression: '$.{ "ticker": symbol, "at": at, "last": c, "volume": v }',
    pollSeconds: 10,
    instruments,
  });
  await using pushed = await startService(third.path, { instruments: rowInstruments });
  const sides: readonly SnapshotSide[] = [
    {
      name: 'Pizarra, a panel of data912',
      service: polled,
      send: (rows) => respondTo(panel, rows),
    },
    { name: 'Pizarra, an expression', service: mapped, send: (rows) => respondTo(table, rows) },
    { name: 'Pizarra, pushed at once', service: pushed, send: (rows) => pushRows(pushed, rows) },
  ];
  await first;
  say(`${figure(snapshotRows)} rows, from sent to visible (least and most of ${rounds}):`);
  for (const { name, service, send } of sides) {
    using stream = await StreamClient.open(service, 'panel=CED');
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) times.push(await untilVisible(stream, send));
    // The first round warms up.
    const { median, least, most } = spreadOf(times.slice(1));
    say(`  ${name.padEnd(28)} ${figure(median)} ms (${figure(least)}–${figure(most)})`);
  }
}

/** One of the ways to send a snapshot. */
interface SnapshotSide {
  readonly name: string;
  readonly service: RunningService;
  /** Sends the rows, and returns when they were sent. */
  readonly send: (rows: readonly Row[]) => Promise<number>;
}

interface Row {
  readonly ticker: string;
  readonly at: string;
  readonly last: number;
  readonly volume: number;
}

/** A snapshot in which every row has the price of the latest update. */
function rowsNow(): readonly Row[] {
  const [at, last] = [new Date().toISOString(), nextPrice()];
  return rowTickers.map((ticker) => ({ ticker, at, last, volume: latest }));
}

/** The time from the end of a snapshot until all of its rows are in a stream, in milliseconds. */
async function untilVisible(stream: StreamClient, send: SnapshotSide['send']): Promise<number> {
  const rows = rowsNow();
  const missing = new Map(rows.map(({ ticker, last }) => [ticker, last]));
  const { promise, resolve } = Promise.withResolvers<number>();
  stream.onQuote = (ticker, price) => {
    if (missing.get(ticker) !== price) return;
    missing.delete(ticker);
    if (missing.size === 0) resolve(performance.now());
  };
  const sentAt = await send(rows);
  return (await promise) - sentAt;
}

/** Sends the rows with the next response of the source. */
function respondTo(path: string, rows: readonly Row[]): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const sent = rows.map(({ ticker, at, last, volume }) => {
    return { symbol: ticker, at, c: last, v: volume, q_op: volume };
  });
  source.bodies.set(path, JSON.stringify(sent));
  source.onResponse = (responded) => {
    if (responded === path) resolve(performance.now());
  };
  return promise;
}

async function pushRows(service: RunningService, rows: readonly Row[]): Promise<number> {
  const body = rows.map((row) => JSON.stringify(row));
  const sentAt = performance.now();
  await push(service, body.join('\n'));
  return sentAt;
}

/** Starts the program with one feed. */
async function startWith(directory: string, feed: object): Promise<RunningService> {
  const config = join(directory, 'pizarra.yaml');
  await writeFile(config, stringify({ feeds: [feed] }));
  await writeFile(join(directory, 'key'), 'bench', { mode: 0o600 });
  return startService(directory, {
    // The source has no history.
    args: ['--config', config, '--history-fetch', 'off'],
    instruments: rowInstruments,
  });
}
