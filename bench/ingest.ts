/**
 * The number of updates that become durable per second, and the latency at a given rate: engine, persist,
 * the writing thread, SQLite with `synchronous = FULL`. JSON and HTTP are not included. The rival in the same
 * run is the simplest implementation: one upsert per update, one transaction per batch.
 *
 * Usage: node bench/ingest.ts [UPDATES] [DIRECTORY]
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { openMarket } from '../src/node/site/open-market.ts';
import type { Ticker } from '../src/domain/instruments/ticker.ts';
import type { Universe } from '../src/domain/instruments/universe.ts';
import type { Update } from '../src/domain/quotes/update.ts';
import { silentLog } from '../src/lib/reports/log.ts';
import type { Ingest } from '../src/pipeline/live/ingest.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { loadUniverse } from '../src/universe/load-universe.ts';
import { peakMemoryMiB, report, secondsOf } from './support/report.ts';
import { scratchDirectory } from './support/scratch-directory.ts';
import { clockAt } from '../test/support/clock-at.ts';

const updatesTotal = Number(process.argv[2] ?? 1_000_000);
const parent = process.argv[3] ?? tmpdir();

/** Updates per batch. A source that sends each change has small batches, one with snapshots large ones. */
const batchLengths = [10, 100, 1_000];
/** Maximum number of updates in flight from a pusher that sends as fast as it can. */
const inFlightMax = 4_000;

const offeredPerSecond = 10_000;
const offeredSeconds = 5;
/** Interval between batches at a steady rate, in milliseconds. */
const offeredEveryMs = 5;

const msPerHour = 3_600_000;
/** All markets of the default universe are open for five hours from this instant. */
const start = Date.parse('2026-11-20T12:00:00-03:00');

const loaded = await loadUniverse(new URL('../universe/', import.meta.url).pathname);
if (!loaded.ok) throw new Error('the default universe has faults');
const pushed = pushedOf(loaded.universe);
report(`${loaded.universe.instruments.length} instruments, updates`, updatesTotal, '');

// On a disk that does not really sync (often in a virtual machine), all figures below are too good.
await within((directory) => report('a sync of this disk', syncMicroseconds(directory), 'µs'));

for (const writer of ['worker', 'inline'] as const) {
  await within(async (directory) => {
    await using store = await openSqliteStore({ directory, writer });
    await using market = await openMarket({
      universe: loaded.universe,
      store,
      clock: clockAt(() => start + 6 * msPerHour),
      log: silentLog,
      settleDelayMs: 900_000,
    });
    await pushAll(market.ingest, batchesOf({ hour: 0, batchLength: 100 }), 1);
    const [p50, p99, worst] = await latencies(market.ingest);
    const rate = `${offeredPerSecond.toLocaleString('en')}/s offered, writer ${writer}`;
    report(`submitted to durable, p50 at ${rate}`, p50, 'ms');
    report(`submitted to durable, p99 at ${rate}`, p99, 'ms');
    report(`submitted to durable, max at ${rate}`, worst, 'ms');
    for (const [index, batchLength] of batchLengths.entries()) {
      const what = `durable, in batches of ${batchLength}, writer ${writer}`;
      report(what, ...(await sustained(market.ingest, { hour: 2 + index, batchLength })));
    }
  });
}
await within(async (directory) => rival(directory));
report('peak memory', peakMemoryMiB(), 'MiB');

/** A load. Each load is an hour later than the previous one, so every update changes something. */
interface Load {
  readonly hour: number;
  readonly batchLength: number;
}

async function sustained(ingest: Ingest, load: Load): Promise<[number, string]> {
  const cpuBefore = process.cpuUsage();
  const loopBefore = performance.eventLoopUtilization();
  const seconds = await secondsOf(() =>
    pushAll(ingest, batchesOf(load), inFlightMax / load.batchLength),
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  const { utilization } = performance.eventLoopUtilization(loopBefore);
  const cores = (user + system) / 1e6 / seconds;
  return [
    updatesTotal / seconds,
    `updates/s, ${cores.toFixed(2)} cores, main thread ${(utilization * 100).toFixed(0)} % busy`,
  ];
}

async function pushAll(
  ingest: Ingest,
  batches: Iterable<readonly Update[]>,
  inFlight: number,
): Promise<void> {
  const rest = Iterator.from(batches);
  const pusher = async (): Promise<void> => {
    for (const batch of rest) {
      const outcomes = await ingest.submit(batch);
      // Updates that change nothing would not measure anything.
      if (outcomes.some((outcome) => outcome !== 'accepted')) throw new Error('not all accepted');
    }
  };
  await Promise.all(Array.from({ length: inFlight }, pusher));
}

/** A random walk over all instruments, with increasing instants. Generating it is part of the time. */
function* batchesOf({ hour, batchLength }: Load): Generator<readonly Update[]> {
  for (let from = 0; from < updatesTotal; from += batchLength) {
    const length = Math.min(batchLength, updatesTotal - from);
    yield Array.from({ length }, (_, index) => makeUpdate(hour, from + index));
  }
}

function makeUpdate(hour: number, index: number): Update {
  const place = (index * 7919) % pushed.length;
  const step = Math.floor(index / pushed.length);
  return {
    ticker: pushed[place] ?? ('' as Ticker),
    at: start + Math.floor((hour + index / updatesTotal) * msPerHour),
    last: (10_000 + ((step * 37 + place * 101) % 2_000)) / 100,
    volume: step * 100,
  };
}

async function latencies(ingest: Ingest): Promise<[number, number, number]> {
  const perBatch = (offeredPerSecond * offeredEveryMs) / 1e3;
  const batches = batchesOf({ hour: 1, batchLength: perBatch }).take(
    (offeredSeconds * 1e3) / offeredEveryMs,
  );
  const begun = performance.now();
  const waits = await Promise.all(
    [...batches].map(async (batch, index) => {
      const due = begun + index * offeredEveryMs;
      await sleep(Math.max(0, due - performance.now()));
      // The time counts from when the batch was due, so a late start is included.
      await ingest.submit(batch);
      return performance.now() - due;
    }),
  );
  waits.sort((a, b) => a - b);
  return [at(waits, 0.5), at(waits, 0.99), at(waits, 1)];
}

function rival(directory: string): void {
  using database = new DatabaseSync(join(directory, 'rival.db'));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE quotes (ticker TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL, last REAL NOT NULL,
      volume REAL) STRICT, WITHOUT ROWID`);
  const put = database.prepare(`
    INSERT INTO quotes (ticker, at, last, volume) VALUES (?, ?, ?, ?)
    ON CONFLICT (ticker) DO UPDATE SET
      at = excluded.at, last = excluded.last, volume = excluded.volume`);
  for (const batchLength of batchLengths) {
    const since = performance.now();
    for (const batch of batchesOf({ hour: 0, batchLength })) {
      database.exec('BEGIN IMMEDIATE');
      for (const { ticker, at: instant, last, volume } of batch) {
        put.run(ticker, instant, last ?? null, volume ?? null);
      }
      database.exec('COMMIT');
    }
    const seconds = (performance.now() - since) / 1e3;
    const what = `rival: one upsert per update, in batches of ${batchLength}, without quotes`;
    report(what, updatesTotal / seconds, 'updates/s');
  }
}

/** The tickers that a feed sends: all except derived instruments. */
function pushedOf({ instruments, derived }: Universe): readonly Ticker[] {
  const followers = new Set(derived.map(({ instrument }) => instrument));
  return instruments.filter((one) => !followers.has(one)).map(({ ticker }) => ticker);
}

function syncMicroseconds(directory: string): number {
  const times = 200;
  const file = openSync(join(directory, 'sync'), 'w');
  const page = Buffer.alloc(4096, 1);
  const since = performance.now();
  for (let index = 0; index < times; index += 1) {
    writeSync(file, page);
    fdatasyncSync(file);
  }
  const elapsed = performance.now() - since;
  closeSync(file);
  return (elapsed / times) * 1e3;
}

async function within(work: (directory: string) => Promise<void> | void): Promise<void> {
  await using directory = await scratchDirectory(parent);
  await work(directory.path);
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
