/**
 * Updates from the push to the clients, through the real program and real HTTP: the number of updates that
 * become durable per second; at a steady rate, the time until an update is visible in `GET /cotizaciones` and
 * in the stream; and the response times meanwhile. The program has one core. The pusher and the clients have
 * the other.
 *
 * Usage: taskset -c 1 node bench/updates/push.ts [UPDATES]
 */
import { Agent, request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { loadUniverse } from '../../src/universe/load-universe.ts';
import { readNumbers } from '../support/arguments.ts';
import { figure, say } from '../support/print.ts';
import { processorTime, residentBytes } from '../support/process-tree.ts';
import { startService, type RunningService } from '../support/running-service.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';

const { updates: updatesTotal } = readNumbers(import.meta.filename, { updates: 1_000_000 });

const warmUpUpdates = 100_000;

const offeredPerSecond = 10_000;
const offeredSeconds = 15;
const batchEveryMs = 10;
const batchLength = (offeredPerSecond * batchEveryMs) / 1_000;
const requestsPerSecond = 200;
const chunkBytes = 64 * 1024;

const loaded = await loadUniverse(new URL('../../universe/', import.meta.url).pathname);
if (!loaded.ok) throw new Error('the default universe has faults');
const { universe } = loaded;
const derived = new Set(universe.derived.map(({ instrument }) => instrument));
const pushedTickers = universe.instruments
  .filter((one) => !derived.has(one))
  .map(({ ticker }) => String(ticker));

/** The instant of the next update. The instants are a millisecond apart and end a minute ago. */
let nextAt = Date.now() - 60_000 - updatesTotal - warmUpUpdates;

const agent = new Agent({ keepAlive: true });
await run();
agent.destroy();

async function run(): Promise<void> {
  await using directory = await scratchDirectory();
  await using service = await startService(directory.path);
  await pushAll(service, warmUpUpdates);
  await pushAll(service, updatesTotal);
  const alone = await answering(service, 5_000);
  say(`GET panel=LID, nothing pushed       p50 ${alone.p50} ms, p99 ${alone.p99} ms`);
  await steady(service);
}

/** Pushes `count` updates in one request, as fast as the service accepts them. */
async function pushAll(service: RunningService, count: number): Promise<void> {
  const body = Readable.from(chunksOf(count), { objectMode: false, highWaterMark: chunkBytes });
  const [processor, begun] = [processorTime(service.pid), performance.now()];
  const answer = await send(service, body);
  const seconds = (performance.now() - begun) / 1_000;
  const taken = processorTime(service.pid) - processor;
  const { accepted } = JSON.parse(answer) as { accepted: number };
  if (accepted !== count) throw new Error(`not all were accepted: ${answer}`);
  say(
    `${figure(count)} updates in one request: ${figure(count / seconds)}/s durable, ` +
      `${figure((taken / count) * 1e6)} µs of processor each, ` +
      `${figure(residentBytes(service.pid) / 2 ** 20)} MiB resident`,
  );
}

/** NDJSON of updates that all change something, generated in advance. */
function chunksOf(count: number): Buffer[] {
  const chunks: Buffer[] = [];
  let lines: string[] = [];
  let length = 0;
  for (let index = 0; index < count; index += 1) {
    nextAt += 1;
    const ticker = pushedTickers[index % pushedTickers.length];
    const at = new Date(nextAt).toISOString();
    const last = Number((1_000 + (index % 9_973) / 10).toFixed(2));
    const line = JSON.stringify({ ticker, at, last, volume: index });
    lines.push(line, '\n');
    length += line.length + 1;
    if (length >= chunkBytes || index === count - 1) {
      chunks.push(Buffer.from(lines.join('')));
      lines = [];
      length = 0;
    }
  }
  return chunks;
}

/** Pushes at a steady rate, and prints when updates become visible, and the response times meanwhile. */
async function steady(service: RunningService): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const marker = 'GGAL';
  const [polled, streamed, pushed] = [[], [], []] as [number[], number[], number[]];

  const stream = watchStream(service, marker, signal, (price) => streamed.push(ageOf(price)));
  const poll = pollQuote(service, marker, signal, (price) => polled.push(ageOf(price)));
  const pushing = (async () => {
    const under: Promise<number>[] = [];
    const begun = performance.now();
    for (let batch = 0; batch < (offeredSeconds * 1_000) / batchEveryMs; batch += 1) {
      await sleep(Math.max(0, begun + batch * batchEveryMs - performance.now()));
      const at = new Date().toISOString();
      const others = Array.from({ length: batchLength - 1 }, (_, index) => {
        const ticker = pushedTickers[(batch * batchLength + index) % pushedTickers.length];
        return ticker === marker
          ? ''
          : JSON.stringify({ ticker, at, last: 500 + (batch % 997) / 10 });
      });
      const sent = performance.now();
      const own = JSON.stringify({ ticker: marker, at, last: priceNow() });
      under.push(timed(send(service, [own, ...others].join('\n')), sent));
    }
    pushed.push(...(await Promise.all(under)));
  })();
  const processor = processorTime(service.pid);
  const meanwhile = await answering(service, offeredSeconds * 1_000 - 1_000);
  await pushing;
  const taken = processorTime(service.pid) - processor;
  stopping.abort();
  await Promise.allSettled([stream, poll]);

  const busy = taken / offeredSeconds;
  say(`at ${figure(offeredPerSecond)} updates/s, ${batchLength} a request:`);
  sayTimes('pushed → acknowledged as durable', pushed);
  sayTimes('pushed → visible in GET', polled);
  sayTimes('pushed → visible in the stream', streamed);
  say(`GET panel=LID meanwhile             p50 ${meanwhile.p50} ms, p99 ${meanwhile.p99} ms`);
  say(`the program's core was busy ${figure(busy * 100)} % of the time (with the polling of GET)`);
}

/** The price of the marker is the instant of its push, so a client that receives it knows its age. */
function priceNow(): number {
  return Number((1 + performance.now()).toFixed(3));
}

function ageOf(price: number): number {
  return 1 + performance.now() - price;
}

function sayTimes(what: string, times: readonly number[]): void {
  const { p50, p99 } = percentiles(times);
  say(
    `${what.padEnd(35)} p50 ${p50} ms, p99 ${p99} ms, worst ${figure(Math.max(...times))} ms (${times.length})`,
  );
}

function percentiles(times: readonly number[]): { readonly p50: string; readonly p99: string } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    figure(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  return { p50: at(0.5), p99: at(0.99) };
}

/** Requests a panel at a steady rate, and returns the response times. */
async function answering(
  service: RunningService,
  forMs: number,
): Promise<{ readonly p50: string; readonly p99: string }> {
  const under: Promise<number>[] = [];
  const begun = performance.now();
  for (let count = 0; count < (forMs / 1_000) * requestsPerSecond; count += 1) {
    await sleep(Math.max(0, begun + (count * 1_000) / requestsPerSecond - performance.now()));
    const sent = performance.now();
    under.push(timed(get(service, '/cotizaciones?panel=LID'), sent));
  }
  return percentiles(await Promise.all(under));
}

/** The time until a promise resolves, in milliseconds since `sent`. */
async function timed(done: Promise<unknown>, sent: number): Promise<number> {
  await done;
  return performance.now() - sent;
}

async function send(service: RunningService, body: string | Readable): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { authorization: `Bearer ${service.keys.ingest}` };
  const outgoing = request(
    `${service.privateUrl}/updates`,
    { method: 'POST', agent, headers },
    resolve,
  );
  outgoing.on('error', reject);
  if (typeof body === 'string') outgoing.end(body);
  else body.pipe(outgoing);
  const response = await promise;
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${answer}`);
  return answer;
}

async function get(service: RunningService, path: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { authorization: `Bearer ${service.keys.read}` };
  request(service.url + path, { agent, headers }, resolve)
    .on('error', reject)
    .end();
  return text(await promise);
}

async function pollQuote(
  service: RunningService,
  ticker: string,
  signal: AbortSignal,
  onNew: (price: number) => void,
): Promise<void> {
  let seen = 0;
  while (!signal.aborted) {
    const [quote] = JSON.parse(await get(service, `/cotizaciones?especie=${ticker}`)) as {
      ultimo: number;
    }[];
    const price = quote?.ultimo ?? 0;
    if (price !== seen && seen !== 0) onNew(price);
    seen = price;
    // Often enough to detect a delay of a millisecond, but not so often that polling is the main load.
    await sleep(1);
  }
}

async function watchStream(
  service: RunningService,
  ticker: string,
  signal: AbortSignal,
  onNew: (price: number) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { authorization: `Bearer ${service.keys.read}` };
  const target = `${service.url}/cotizaciones/stream?especie=${ticker}`;
  request(target, { agent: false, headers, signal }, resolve).on('error', reject).end();
  let isFirst = true;
  for await (const chunk of await promise) {
    for (const [, price] of String(chunk).matchAll(/"ultimo":([\d.]+)/g)) {
      if (!isFirst) onNew(Number(price));
      isFirst = false;
    }
  }
}
