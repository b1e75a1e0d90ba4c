/**
 * Measures how the writer of a cluster groups pushed updates: commits a second, and the time from a push to its
 * acknowledgement, through the real program, real HTTP and a durable PostgreSQL. Each load runs on two
 * writers in turn: one as it is, and one that starts a commit as soon as the one before has ended. Each push has
 * one update. Pushes arrive at random intervals, except those of one client that waits for each acknowledgement.
 *
 * Usage: node bench/cluster/commits.ts [SECONDS] [ROUNDS]
 */
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { createKey } from '../../src/node/keys/keys.ts';
import { loadUniverse } from '../../src/universe/load-universe.ts';
import { startPostgres, type PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import { startPizarra } from '../../test/support/program/program.ts';
import { readNumbers } from '../support/arguments.ts';
import { writeAlwaysOpenUniverse } from '../support/always-open-universe.ts';
import { figure, say } from '../support/print.ts';
import { processorTime } from '../support/process-tree.ts';
import { seededRandom } from '../support/random.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';

const { seconds, rounds } = readNumbers(import.meta.filename, { seconds: 8, rounds: 3 });

/** Pushes a second; 0 for one client that waits for each acknowledgement. */
const loads = [2, 20, 190, 500, 0];

const unpaced = new URL('nodes/unpaced.ts', import.meta.url).pathname;
const sides = [
  { name: 'grouped', env: {} },
  { name: 'at once', env: { NODE_OPTIONS: `--import=${unpaced}` } },
] as const;

const random = seededRandom(1);
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
let last = 1;

/** A writer, and what its measurement needs. */
interface Target {
  readonly name: string;
  readonly schema: string;
  readonly pid: number;
  readonly url: string;
  readonly key: string;
  readonly latencies: Map<number, number[]>;
  readonly commits: Map<number, number[]>;
  readonly busy: Map<number, number[]>;
}

async function main(): Promise<void> {
  await using directory = await scratchDirectory();
  const universe = join(directory.path, 'universe');
  await writeAlwaysOpenUniverse(universe);
  const loaded = await loadUniverse(universe);
  if (!loaded.ok) throw new Error('the universe has faults');
  const derived = new Set(loaded.universe.derived.map(({ instrument }) => instrument));
  const tickers = loaded.universe.instruments
    .filter((one) => !derived.has(one))
    .map(({ ticker }) => String(ticker));
  await using server = await startPostgres({ isDurable: true });
  await using services = new AsyncDisposableStack();
  const targets: Target[] = [];
  for (const [at, { name, env }] of sides.entries()) {
    const schema = `bench${at}`;
    const store = server.url(schema);
    const flags = ['--store', store, '--universe', universe, '--access-log', 'off'];
    const service = services.use(await startPizarra(flags, undefined, { env }));
    const { key } = await createKey(store, { name: 'bench', scope: 'ingest' });
    const { privateUrl: url, child } = service;
    const figures = { latencies: new Map(), commits: new Map(), busy: new Map() };
    targets.push({ name, schema, pid: child.pid ?? 0, url, key, ...figures });
  }
  for (const target of targets) await push(target, tickers);
  for (let round = 0; round < rounds; round += 1) {
    for (const load of loads)
      for (const target of targets) await measure(server, target, { load, tickers });
  }
  say(`${rounds} rounds of ${seconds} s for each side and load; a push has one update`);
  for (const load of loads) for (const target of targets) report(target, load);
}

async function measure(
  server: PostgresServer,
  target: Target,
  { load, tickers }: { readonly load: number; readonly tickers: readonly string[] },
): Promise<void> {
  const latencies = listOf(target.latencies, load);
  const [before, processor] = [await commitsOf(server, target), busyOf(target)];
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const timed = async (): Promise<void> => {
    const sentAt = performance.now();
    await push(target, tickers);
    latencies.push(performance.now() - sentAt);
  };
  const under: Promise<void>[] = [];
  for (let dueAt = begun; dueAt < end;) {
    await sleep(Math.max(0, dueAt - performance.now()));
    if (load === 0) await timed();
    else under.push(timed());
    dueAt = load === 0 ? performance.now() : dueAt - (Math.log(1 - random()) / load) * 1_000;
  }
  await Promise.all(under);
  const elapsed = (performance.now() - begun) / 1_000;
  listOf(target.commits, load).push(((await commitsOf(server, target)) - before) / elapsed);
  listOf(target.busy, load).push((busyOf(target) - processor) / elapsed);
}

function listOf(lists: Map<number, number[]>, load: number): number[] {
  const list = lists.get(load) ?? [];
  lists.set(load, list);
  return list;
}

function busyOf({ pid }: Target): number {
  const { user, kernel } = processorTime([pid]);
  return user + kernel;
}

/** The commits of the holder of the claim so far. */
async function commitsOf({ port }: PostgresServer, { schema }: Target): Promise<number> {
  const client = new Client({ host: '127.0.0.1', port, user: 'pizarra', database: 'postgres' });
  await client.connect();
  const { rows } = await client.query(`SELECT commits FROM ${schema}.lease`);
  await client.end();
  return Number((rows[0] as { readonly commits: string }).commits);
}

async function push({ url, key }: Target, tickers: readonly string[]): Promise<void> {
  last += 1;
  const ticker = tickers[last % tickers.length];
  // A move that the judge does not question.
  const body = JSON.stringify({ ticker, at: new Date().toISOString(), last: 1_000 + (last % 50) });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(
    `${url}/updates`,
    { method: 'POST', agent, headers: { authorization: `Bearer ${key}` } },
    resolve,
  )
    .on('error', reject)
    .end(body);
  const response = await promise;
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${answer}`);
  const { accepted } = JSON.parse(answer) as { readonly accepted: number };
  if (accepted !== 1) throw new Error(`not accepted: ${body} ${answer}`);
}

function report(target: Target, load: number): void {
  const sorted = listOf(target.latencies, load).toSorted((a, b) => a - b);
  const part = (share: number): string =>
    figure(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  const offered = load === 0 ? 'one client in turn' : `${load} pushes/s`;
  say(
    `${offered.padEnd(20)} ${target.name.padEnd(8)} ` +
      `${figure(sorted.length / rounds / seconds).padStart(6)} acknowledged/s, ` +
      `${figure(mean(listOf(target.commits, load))).padStart(5)} commits/s, ` +
      `p50 ${part(0.5)} ms, p99 ${part(0.99)} ms, ` +
      `program ${figure(mean(listOf(target.busy, load)) * 100)} % of a core`,
  );
}

function mean(list: readonly number[]): number {
  return list.reduce((sum, one) => sum + one, 0) / list.length;
}

await main();
agent.destroy();
