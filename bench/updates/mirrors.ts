/**
 * One service and the mirrors that follow it. Each mirror has streams of its own, and the origin gets pushed
 * updates. The bench measures the time from a push until a stream of a mirror has the quote, and the processor time of
 * the origin and of the mirrors: while all run, and after the network between them was cut. It checks that no
 * stream goes back, and that each has the last price of every instrument at the end. All services share one core, and
 * this process, on the other core, is the source and all clients.
 *
 * Usage: taskset -c 1 node bench/updates/mirrors.ts [MIRRORS] [STREAMS] [UPDATES] [SECONDS] [CUT]
 *
 * The number of mirrors, the streams of each, the updates per second, and the seconds of each measurement and of
 * the cut: 3, 2000, 1000, 30 and 60 by default.
 */
import { writeFile } from 'node:fs/promises';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { instrumentKinds } from '../../src/domain/instruments/instrument.ts';
import { loadUniverse } from '../../src/universe/load-universe.ts';
import { readNumbers } from '../support/arguments.ts';
import { figure, say } from '../support/print.ts';
import { processorTime, residentBytes } from '../support/process-tree.ts';
import { seededRandom } from '../support/random.ts';
import { startService, type RunningService } from '../support/running-service.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { StreamClient } from '../support/stream-client.ts';

const sizes = readNumbers(import.meta.filename, {
  mirrors: 3,
  streams: 2_000,
  updates: 1_000,
  seconds: 30,
  cut: 60,
});
const pushEveryMs = 20;
const pushesUnderWayMax = 32;
/** Number of instruments that a client selects: one screen. */
const followedByEach = 20;
/** Before the measurements, the mirrors read the minutes of the sessions, in seconds. */
const warmUpSeconds = 10;
/** How long the last quotes may take to reach every stream, in milliseconds. */
const settleMs = 120_000;
const manyClients = [
  '--streams-per-key-max',
  '--streams-max',
  '--connections-per-address-max',
  '--connections-max',
].flatMap((flag) => [flag, '10000']);

const loaded = await loadUniverse(new URL('../../universe/', import.meta.url).pathname);
if (!loaded.ok) throw new Error('the default universe has faults');
const { universe } = loaded;
const derived = new Set(universe.derived.map(({ instrument }) => instrument));
/** Instruments with at least four decimals, so that a price can encode the time of its push. */
const tickers = universe.instruments
  .filter((one) => !derived.has(one) && one.decimals >= 4 && instrumentKinds[one.kind].isPrice)
  .map(({ ticker }) => String(ticker));
const random = seededRandom(26);
const pick = (): string => tickers[Math.floor(random() * tickers.length)] ?? '';

/** The last price of each ticker that was pushed. */
const pushed = new Map<string, number>();

/** The price of a change is the instant of its push, so a client that receives it knows its age. */
const priceNow = (): number => Number((1_000_000 + performance.now()).toFixed(3));

async function push(
  { privateUrl, keys }: RunningService,
  changed: Iterable<string>,
): Promise<void> {
  const at = new Date().toISOString();
  const body = Array.from(changed, (ticker) => {
    const price = priceNow();
    pushed.set(ticker, price);
    return JSON.stringify({ ticker, at, last: price });
  }).join('\n');
  const headers = { authorization: `Bearer ${keys.ingest}` };
  const response = await fetch(`${privateUrl}/updates`, { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(await response.text());
  await response.arrayBuffer();
}

/** A client of a mirror: the ages of what it receives while it measures, and whether a price ever went back. */
class Client {
  ages: number[] | undefined;
  backwards = 0;
  readonly last = new Map<string, number>();
  readonly stream: StreamClient;

  constructor(stream: StreamClient) {
    this.stream = stream;
    stream.onQuote = (ticker, price) => {
      if (price < (this.last.get(ticker) ?? -Infinity)) this.backwards += 1;
      this.last.set(ticker, price);
      this.ages?.push(performance.now() + 1_000_000 - price);
    };
  }

  get isCurrent(): boolean {
    return this.last.entries().every(([ticker, price]) => price === pushed.get(ticker));
  }
}

/** A line to a port that can be cut: then connections break, and new ones are refused. */
async function startLine(target: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const service = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => (sockets.delete(one), other.destroy()));
    }
    client.pipe(service).pipe(client);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    set isCut(cut: boolean) {
      isCut = cut;
      if (cut) for (const one of sockets) one.destroy();
    },
    [Symbol.dispose]: () => {
      for (const one of sockets) one.destroy();
      server.close();
    },
  };
}

await using cleanUp = new AsyncDisposableStack();
const start = async (config: string, key = ''): Promise<RunningService> => {
  const directory = cleanUp.use(await scratchDirectory());
  const file = join(directory.path, 'pizarra.yaml');
  await writeFile(file, config);
  return cleanUp.use(
    await startService(directory.path, {
      args: [...manyClients, '--config', file],
      env: { ORIGIN_KEY: key },
    }),
  );
};
const origin = await start('feeds: [{ name: mesa, type: push }]\n');
const line = cleanUp.use(await startLine(Number(new URL(origin.url).port)));
const feed = `{ name: oficina, type: pizarra, url: 'http://127.0.0.1:${line.port}', key: { env: ORIGIN_KEY } }`;
const mirrors: RunningService[] = [];
while (mirrors.length < sizes.mirrors) {
  mirrors.push(await start(`feeds: [${feed}]\n`, origin.keys.read));
}
await push(origin, tickers);

const clients: Client[] = [];
for (const mirror of mirrors) {
  for (let count = 0; count < sizes.streams; count += 1) {
    const picked = new Set<string>();
    while (picked.size < followedByEach) picked.add(pick());
    const query = `especie=${encodeURIComponent([...picked].join(','))}`;
    clients.push(new Client(await StreamClient.open(mirror, query)));
  }
}
await untilCurrent('at the start');
say(
  `${mirrors.length} mirrors with ${sizes.streams} streams each, ${figure(sizes.updates)} updates/s`,
);

/** Waits until every stream has the last price of each of its instruments. */
async function untilCurrent(when: string): Promise<number> {
  const since = performance.now();
  while (clients.some((one) => one.last.size < followedByEach || !one.isCurrent)) {
    if (performance.now() - since > settleMs) {
      const late = clients.filter((one) => !one.isCurrent).length;
      throw new Error(`${when}: ${late} streams lack a last quote`);
    }
    await sleep(50);
  }
  return performance.now() - since;
}

/** Pushes changes at the rate for some seconds. */
async function pushFor(seconds: number): Promise<number> {
  const begun = performance.now();
  const pushes: Promise<void>[] = [];
  let changes = 0;
  for (let turn = 0; turn < (seconds * 1_000) / pushEveryMs; turn += 1) {
    await sleep(Math.max(0, begun + turn * pushEveryMs - performance.now()));
    // When the machine is suspended for a second, the source waits too.
    await pushes[turn - pushesUnderWayMax];
    const changed = new Set<string>();
    while (changed.size < (sizes.updates * pushEveryMs) / 1_000) changed.add(pick());
    changes += changed.size;
    pushes.push(push(origin, changed));
  }
  await Promise.all(pushes);
  return changes / ((performance.now() - begun) / 1_000);
}

const cpuOf = (services: readonly RunningService[]): number => {
  const { user, kernel } = processorTime(services.map(({ pid }) => pid));
  return user + kernel;
};

/** Measures the delay of the streams, and the processor time of the services, while updates are pushed. */
async function measure(what: string): Promise<void> {
  for (const client of clients) client.ages = [];
  const before = [cpuOf([origin]), cpuOf(mirrors)];
  const begun = performance.now();
  const rate = await pushFor(sizes.seconds);
  const took = (performance.now() - begun) / 1_000;
  const busy = [cpuOf([origin]), cpuOf(mirrors)].map((one, at) => (one - (before[at] ?? 0)) / took);
  const settled = await untilCurrent(what);
  const ages = clients.flatMap((one) => one.ages ?? []).sort((a, b) => a - b);
  for (const client of clients) client.ages = undefined;
  const at = (share: number): string => figure(ages[Math.floor(ages.length * share)] ?? Number.NaN);
  say(
    `${what}: ${figure(rate)} updates/s, ${figure(ages.length / took)} events/s to streams: ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
  say(
    `  origin ${figure((busy[0] ?? 0) * 100)} % of a core, mirrors together ${figure((busy[1] ?? 0) * 100)} %, ` +
      `${figure(residentBytes([origin.pid]) / 2 ** 20)} MiB and ${figure(residentBytes(mirrors.map(({ pid }) => pid)) / 2 ** 20)} MiB; ` +
      `all streams current ${figure(settled)} ms after the last push`,
  );
}

await pushFor(warmUpSeconds);
await untilCurrent('after the start');
await measure('connected');
line.isCut = true;
await pushFor(sizes.cut);
line.isCut = false;
const caughtUp = await untilCurrent('after the cut');
say(`after a cut of ${sizes.cut} s: all streams current within ${figure(caughtUp / 1_000)} s`);
await measure('after the cut');
const backwards = clients.reduce((sum, one) => sum + one.backwards, 0);
const ended = clients.filter(({ stream }) => stream.hasEnded).length;
say(`${backwards} quotes went back, ${ended} streams have ended`);
for (const { stream } of clients) stream[Symbol.dispose]();
if (backwards + ended > 0) process.exitCode = 1;
