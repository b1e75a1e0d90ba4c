/**
 * Measures the history of a country's size in PostgreSQL: the time of an import through the store, and for
 * 33 million closes the size and the time of reading a series, with the table whole and partitioned. The
 * two tables are read in turn, several times. Prints one line for each figure.
 *
 * Usage: node bench/history/postgres.ts [CLOSES_IN_MILLIONS]
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';

import type { EpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { PostgresPlace } from '../../src/store/postgres/postgres-place.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { startPostgres, type PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import { readNumbers } from '../support/arguments.ts';
import { placeDeps } from '../support/place-deps.ts';
import { testStamp } from '../../test/support/market/test-change.ts';

const { millions } = readNumbers(import.meta.filename, { millions: 33 });
const instruments = 10_000;
const days = Math.round((millions * 1e6) / instruments);
/** The last sessions were added day by day, and the others instrument by instrument. */
const dailyDays = Math.round(days / 10);
const firstDay = 8_000;
const partitions = 16;
const reads = 500;
const rounds = 3;

async function main(): Promise<void> {
  await using server = await startPostgres({
    isDurable: true,
    settings: { shared_buffers: '512MB', max_wal_size: '8GB' },
  });
  await measureImport(server);
  for (const isPartitioned of [false, true]) await measureFilling(server, isPartitioned);
  for (let round = 1; round <= rounds; round += 1) {
    for (const isPartitioned of [false, true]) await measureReads(server, isPartitioned, round);
  }
}

async function measureImport(server: PostgresServer): Promise<void> {
  await using place = new PostgresPlace(server.url('import'), placeDeps);
  await using store = await place.open({ mode: 'create' });
  const tickers = Array.from({ length: 200 }, (_, at) => `T${at}` as Ticker);
  for (const [what, price] of [
    ['import of 1,000,000 new closes', 1],
    ['import of 1,000,000 changed closes', 2],
    ['import of 1,000,000 equal closes', 2],
  ] as const) {
    const begun = systemClock.monotonic();
    await store.history.transaction(async (transaction) => {
      for (const ticker of tickers) {
        const closes = Array.from({ length: 5_000 }, (_, at) => ({
          day: (firstDay + at) as EpochDay,
          close: price + at / 7,
          volume: at * 3,
          source: 'import:bench.csv',
        }));
        await transaction.read(ticker, { from: firstDay as EpochDay, to: 20_000 as EpochDay });
        await transaction.put(ticker, closes);
      }
    }, testStamp);
    report(what, `${((systemClock.monotonic() - begun) / 1_000).toFixed(1)} s`);
  }
}

function schemaOf(isPartitioned: boolean): string {
  return isPartitioned ? 'parts' : 'whole';
}

function labelOf(isPartitioned: boolean): string {
  return isPartitioned ? `in ${partitions} partitions` : 'in one table';
}

async function measureFilling(server: PostgresServer, isPartitioned: boolean): Promise<void> {
  const schema = schemaOf(isPartitioned);
  await using place = new PostgresPlace(server.url(schema), placeDeps);
  await (await place.open({ mode: 'create' }))[Symbol.asyncDispose]();
  const begun = systemClock.monotonic();
  await fill(server, schema, isPartitioned);
  const seconds = (systemClock.monotonic() - begun) / 1_000;
  const label = labelOf(isPartitioned);
  report(`${millions} million closes ${label}: filling`, `${seconds.toFixed(0)} s`);
  const [rows = 0, index = 0] = await numbers(
    server,
    `SELECT sum(pg_table_size(c.oid)) / 1e9, sum(pg_indexes_size(c.oid)) / 1e9 FROM pg_class c
     WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r' AND relname LIKE 'closes%'`,
  );
  report(`${label}: rows`, `${rows.toFixed(2)} GB`);
  report(`${label}: index`, `${index.toFixed(2)} GB`);
}

async function measureReads(
  server: PostgresServer,
  isPartitioned: boolean,
  round: number,
): Promise<void> {
  await server.stop();
  evict(join(server.directory, 'data', 'base'));
  await server.start();
  await using place = new PostgresPlace(server.url(schemaOf(isPartitioned)), placeDeps);
  await using store = await place.open({ mode: 'read' });
  const label = `${labelOf(isPartitioned)}, round ${round}`;
  await measureSeries(store, `${label}, nothing in memory`);
  await measureSeries(store, `${label}, again`);
}

/** Reads ten years and whole series of instruments, each one once, and the same ones in each call. */
async function measureSeries(store: Store, label: string): Promise<void> {
  const to = (firstDay + days) as EpochDay;
  for (const [what, length] of [
    ['ten years', Math.min(2_500, days)],
    ['everything', days],
  ] as const) {
    const times: number[] = [];
    for (let read = 0; read < reads; read += 1) {
      const ticker = `T${(read * 7_919 + length) % instruments}` as Ticker;
      const begun = systemClock.monotonic();
      const series = await store.history.readSeries(ticker, {
        from: (to - length) as EpochDay,
        to,
      });
      if (series.days.length < length - 1) throw new Error(`${ticker}: ${series.days.length}`);
      times.push(systemClock.monotonic() - begun);
    }
    times.sort((a, b) => a - b);
    const at = (part: number): string => (times[Math.floor(part * reads)] ?? 0).toFixed(1);
    report(`${label}: ${what} (${length} closes)`, `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
  }
}

async function fill(server: PostgresServer, schema: string, isPartitioned: boolean): Promise<void> {
  const parts = Array.from(
    { length: partitions },
    (_, at) =>
      `CREATE TABLE closes_${at} PARTITION OF closes FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${at});`,
  );
  const rows = `random() * 1000, random() * 1e6, random() * 1000, random() * 1000, random() * 1000, 1`;
  const split = firstDay + days - dailyDays;
  await run(
    server,
    `SET search_path = ${schema};
     ${
       isPartitioned
         ? `ALTER TABLE closes RENAME TO closes_old; ALTER INDEX closes_pkey RENAME TO old_pkey;
            CREATE TABLE closes (LIKE closes_old, PRIMARY KEY (instrument_id, day) INCLUDE (close, volume)) PARTITION BY HASH (instrument_id);
            ${parts.join('\n')} DROP TABLE closes_old;`
         : ''
     }
     INSERT INTO instruments (ticker) SELECT 'T' || i FROM generate_series(0, ${instruments - 1}) AS i ORDER BY i;
     INSERT INTO closes SELECT id, day, ${rows}
       FROM (SELECT id FROM instruments ORDER BY id) AS i, generate_series(${firstDay}, ${split}) AS day;
     INSERT INTO closes SELECT id, day, ${rows}
       FROM generate_series(${split + 1}, ${firstDay + days}) AS day, (SELECT id FROM instruments ORDER BY id) AS i;
     ANALYZE;`,
  );
  await run(server, `VACUUM ${schema}.closes`);
  await run(server, 'CHECKPOINT');
}

async function run(server: PostgresServer, text: string): Promise<void> {
  const client = new Client({
    host: '127.0.0.1',
    port: server.port,
    user: 'pizarra',
    database: 'postgres',
  });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function numbers(server: PostgresServer, text: string): Promise<readonly number[]> {
  const client = new Client({
    host: '127.0.0.1',
    port: server.port,
    user: 'pizarra',
    database: 'postgres',
  });
  await client.connect();
  const { rows } = await client.query<number[]>({ text, rowMode: 'array' });
  await client.end();
  return (rows[0] ?? []).map(Number);
}

/** Removes the files of a folder from the memory of the operating system. */
function evict(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    execFileSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']);
  }
}

function report(what: string, value: string): void {
  process.stdout.write(`${what}: ${value}\n`);
}

await main();
