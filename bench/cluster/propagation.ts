/**
 * Measures how long a quote takes from the acknowledgement of its commit to the readers of other processes,
 * through PostgreSQL, and the processor time of followers and server: 2,000 updates a second to 1, 3 and 12
 * followers. Prints one line for each number of followers.
 *
 * Usage: node bench/cluster/propagation.ts [SECONDS] [UPDATES_PER_SECOND]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type { StoredQuote } from '../../src/domain/quotes/stored-quote.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { PostgresPlace } from '../../src/store/postgres/postgres-place.ts';
import { startPostgres, type PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import { storedQuote } from '../../test/support/market/stored-quote.ts';
import { universeOf } from './nodes/universe.ts';
import type { FollowerReport } from './nodes/follower.ts';
import { readNumbers } from '../support/arguments.ts';
import { placeDeps } from '../support/place-deps.ts';

const { seconds, rate } = readNumbers(import.meta.filename, { seconds: 10, rate: 2_000 });
const instruments = 2_000;
const tickMs = 10;
const follower = new URL('nodes/follower.ts', import.meta.url).pathname;

async function main(): Promise<void> {
  for (const followers of [1, 3, 12]) {
    await using server = await startPostgres({ isDurable: true });
    await measure(server, followers);
  }
}

async function measure(server: PostgresServer, followers: number): Promise<void> {
  const url = server.url('bench');
  await using place = new PostgresPlace(url, placeDeps);
  await using claim = await place.claim({ id: 'bench', name: 'bench' });
  await using store = await place.open({ mode: 'create', claim });
  const tickers = universeOf(instruments).instruments.map(({ ticker }) => ticker);
  await store.quotes.commit({
    quotes: tickers.map((ticker, at) => quote(ticker, at + 1)),
    closes: [],
  });

  const children = await Promise.all(Array.from({ length: followers }, () => startFollower(url)));
  const serverBefore = cpuOf(server);
  /** When each version was acknowledged, in epoch milliseconds. */
  const acknowledged = new Map<number, number>();
  const commitMs: number[] = [];
  let version = instruments;
  let due = 0;
  const begunAt = systemClock.monotonic();
  while (systemClock.monotonic() - begunAt < seconds * 1_000) {
    const tickAt = systemClock.monotonic();
    due += (rate * tickMs) / 1_000;
    const latest = new Map<Ticker, StoredQuote>();
    for (; due >= 1; due -= 1) {
      version += 1;
      const ticker = tickers[(version * 7_919) % instruments] ?? tickers[0];
      if (ticker !== undefined) latest.set(ticker, quote(ticker, version));
    }
    await store.quotes.commit({ quotes: [...latest.values()], closes: [] });
    const at = performance.timeOrigin + performance.now();
    for (const one of latest.values()) acknowledged.set(one.version, at);
    commitMs.push(systemClock.monotonic() - tickAt);
    await sleep(Math.max(0, tickMs - (systemClock.monotonic() - tickAt)));
    // A commit that takes longer than a tick is followed by a larger one.
    due += (rate * Math.max(0, systemClock.monotonic() - tickAt - tickMs)) / 1_000;
  }
  const elapsed = (systemClock.monotonic() - begunAt) / 1_000;
  const serverCpu = (cpuOf(server) - serverBefore) / elapsed / 10;
  await sleep(1_500);
  const reports = await Promise.all(children.map((child) => endFollower(child)));
  const delays = reports.flatMap(({ seen }) =>
    seen.flatMap(([one, at]) => {
      const from = acknowledged.get(one);
      return from === undefined ? [] : [at - from];
    }),
  );
  const behind = reports.filter(({ position }) => position < version).length;
  const followerCpu = reports.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / followers / elapsed / 10;
  process.stdout.write(
    `${followers} followers, ${Math.round((version - instruments) / elapsed)} updates/s: ` +
      `visible after p50 ${part(delays, 0.5)} ms, p99 ${part(delays, 0.99)} ms, max ${part(delays, 1)} ms; ` +
      `commit p50 ${part(commitMs, 0.5)} ms, p99 ${part(commitMs, 0.99)} ms; ` +
      `processor: follower ${followerCpu.toFixed(1)} %, server ${serverCpu.toFixed(1)} % of a core; ` +
      `${behind} followers behind at the end\n`,
  );
}

function quote(ticker: Ticker, version: number): StoredQuote {
  return storedQuote(ticker, version);
}

function part(list: number[], share: number): string {
  list.sort((a, b) => a - b);
  return (list[Math.min(list.length - 1, Math.floor(share * list.length))] ?? Number.NaN).toFixed(
    1,
  );
}

async function startFollower(url: string): Promise<ChildProcess> {
  const child = fork(follower, [url, String(instruments)], { serialization: 'advanced' });
  await new Promise((resolve) => child.once('message', resolve));
  return child;
}

async function endFollower(child: ChildProcess): Promise<FollowerReport> {
  const report = new Promise<FollowerReport>((resolve) =>
    child.once('message', (message) => resolve(message as FollowerReport)),
  );
  child.send('end');
  return report;
}

/** Processor time of all processes of a server, in milliseconds. */
function cpuOf(server: PostgresServer): number {
  let sum = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readlinkSync(`/proc/${pid}/cwd`).startsWith(server.directory)) continue;
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      sum += (Number(fields[11]) + Number(fields[12])) * 10;
    } catch {
      // The process has ended.
    }
  }
  return sum;
}

await main();
