/**
 * 2,000 clients of the stream, and one of them reads nothing. The bench measures the time until each change
 * reaches its clients, and checks whether a client misses a latest quote, and whether the stalled client
 * affects the others. The real program runs on one core. This process, on the other core, is the clients and
 * the source, which pushes 500 changes per second in total.
 *
 * Usage: taskset -c 1 node bench/updates/stream.ts [CLIENTS]
 */
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

const { clients: clientCount } = readNumbers(import.meta.filename, { clients: 2_000 });
const changesPerSecond = 500;
const pushEveryMs = 20;
const seconds = 15;
const stallMs = 5_000;
/** Number of rounds of all quotes that fill the buffers of a connection that is not read: about 6 MB. */
const fillingRounds = 60;
const stalledFollows = 500;
const pushesUnderWayMax = 32;
/** Number of instruments that a client selects: one screen. */
const followedByEach = 20;

const loaded = await loadUniverse(new URL('../../universe/', import.meta.url).pathname);
if (!loaded.ok) throw new Error('the default universe has faults');
const { universe } = loaded;
const derived = new Set(universe.derived.map(({ instrument }) => instrument));
/** Instruments with at least four decimals, so that a price can encode the time of its push. */
const tickers = universe.instruments
  .filter((one) => !derived.has(one) && one.decimals >= 4 && instrumentKinds[one.kind].isPrice)
  .map(({ ticker }) => String(ticker));

/** A client, and what it has received. */
class Client {
  readonly ages: number[] = [];
  events = 0;
  /** The last price of each ticker. */
  readonly last = new Map<string, number>();
  readonly #stream: StreamClient;
  #isMeasuring = false;

  private constructor(stream: StreamClient) {
    this.#stream = stream;
    stream.onQuote = (ticker, price) => this.#take(ticker, price);
  }

  static async open(service: RunningService, query: string): Promise<Client> {
    return new Client(await StreamClient.open(service, query));
  }

  get hasEnded(): boolean {
    return this.#stream.hasEnded;
  }

  measure(): void {
    this.#isMeasuring = true;
  }

  stall(): void {
    this.#stream.pause();
  }

  close(): void {
    this.#stream[Symbol.dispose]();
  }

  #take(ticker: string, price: number): void {
    this.events += 1;
    this.last.set(ticker, price);
    if (this.#isMeasuring) this.ages.push(performance.now() + 1 - price);
  }
}

/** The price of a change is the instant of its push, so a client that receives it knows its age. */
const priceNow = (): number => Number((1 + performance.now()).toFixed(3));

const random = seededRandom(1810);
const pick = (): string => tickers[Math.floor(random() * tickers.length)] ?? '';

/** Returns another selection for each client. */
function screenOf(): readonly string[] {
  const picked = new Set<string>();
  while (picked.size < followedByEach) picked.add(pick());
  return [...picked];
}

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

/** The last price of each ticker that was pushed. */
const pushed = new Map<string, number>();

async function run(
  what: string,
  queryOf: () => string,
  changing: readonly string[],
): Promise<void> {
  await using directory = await scratchDirectory();
  await using service = await startService(directory.path, {
    args: [
      '--streams-per-key-max',
      '10000',
      '--streams-max',
      '10000',
      '--connections-per-address-max',
      '20000',
      '--connections-max',
      '20000',
      '--stream-stall-ms',
      String(stallMs),
    ],
  });
  pushed.clear();
  await push(service, tickers);
  // Its buffers are full when the measurement begins. The service ends it during the measurement.
  const stalled = await Client.open(
    service,
    `especie=${encodeURIComponent(tickers.slice(0, stalledFollows).join(','))}`,
  );
  stalled.stall();
  for (let round = 0; round < fillingRounds; round += 1) await push(service, tickers);
  const opening = performance.now();
  const clients: Client[] = [];
  for (let count = 0; count < clientCount; count += 1) {
    clients.push(await Client.open(service, queryOf()));
  }
  while (clients.some(({ events }) => events === 0)) await sleep(10);
  say(`${what}: ${figure(clientCount)} clients open in ${figure(performance.now() - opening)} ms`);
  for (const client of clients) client.measure();

  const processor = processorTime(service.pid);
  const own = process.cpuUsage();
  const begun = performance.now();
  let changes = 0;
  const pushes: Promise<void>[] = [];
  for (let turn = 0; turn < (seconds * 1_000) / pushEveryMs; turn += 1) {
    await sleep(Math.max(0, begun + turn * pushEveryMs - performance.now()));
    // When the machine is suspended for a second, the source waits too.
    await pushes[turn - pushesUnderWayMax];
    const changed = new Set<string>();
    while (changed.size < (changesPerSecond * pushEveryMs) / 1_000) {
      changed.add(changing[Math.floor(random() * changing.length)] ?? '');
    }
    changes += changed.size;
    pushes.push(push(service, changed));
  }
  await Promise.all(pushes);
  const took = (performance.now() - begun) / 1_000;
  const busy = (processorTime(service.pid) - processor) / took;
  const ownBusy = process.cpuUsage(own);
  await sleep(1_000);
  reportClients(clients, { took, changes });
  say(
    `  the program's core was busy ${figure(busy * 100)} %, the clients' own ` +
      `${figure((ownBusy.user + ownBusy.system) / 10_000 / took)} %; ` +
      `${figure(residentBytes(service.pid) / 2 ** 20)} MiB resident`,
  );
  say(`  ${await tooSlow(service)} stream of a client that reads nothing was ended meanwhile`);
  for (const client of [...clients, stalled]) client.close();
}

/** The number of streams that the program has ended because their clients did not read. */
async function tooSlow({ privateUrl, keys }: RunningService): Promise<string> {
  const headers = { authorization: `Bearer ${keys.metrics}` };
  const metrics = await (await fetch(`${privateUrl}/metrics`, { headers })).text();
  return /closed_total\{reason="too-slow"\} (\d+)/.exec(metrics)?.[1] ?? 'no';
}

function reportClients(
  clients: readonly Client[],
  { took, changes }: { readonly took: number; readonly changes: number },
): void {
  const ages = clients.flatMap((client) => client.ages).sort((a, b) => a - b);
  const at = (share: number): string => figure(ages[Math.floor(ages.length * share)] ?? Number.NaN);
  let [followed, stale] = [0, 0];
  for (const { last } of clients) {
    for (const [ticker, price] of last) {
      followed += 1;
      if (price !== pushed.get(ticker)) stale += 1;
    }
  }
  say(
    `  ${figure(changes / took)} changes/s, ${figure(ages.length / took)} events/s to clients: ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${figure(ages.at(-1) ?? Number.NaN)} ms`,
  );
  say(
    `  ${stale} of ${followed} latest quotes missed; ` +
      `${clients.filter(({ hasEnded }) => hasEnded).length} streams of reading clients were ended`,
  );
}

await run(
  `each follows ${followedByEach} of ${tickers.length}`,
  () => `especie=${encodeURIComponent(screenOf().join(','))}`,
  tickers,
);
const leading = (universe.panels.get('LID') ?? []).map(({ ticker }) => String(ticker));
await run('all follow the leading panel, which alone changes', () => 'panel=LID', leading);
