/**
 * Measures the memory of changes in SQLite: ten years of closes of 1,000 instruments, of which every session
 * corrects one close of each instrument. Prints the size of the database before and after, the processor time
 * of a correction, and that of reading a series as it is and as it was known halfway.
 *
 * Usage: node bench/history/corrections.ts [INSTRUMENTS] [DAYS]
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { DailyClose } from '../../src/domain/history/daily-close.ts';
import { valuesAt } from '../../src/domain/changes/version.ts';
import type { EpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { databaseFileName } from '../../src/store/sqlite/file/database-file.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { readNumbers } from '../support/arguments.ts';
import { say } from '../support/print.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';

const { instruments, days } = readNumbers(import.meta.filename, {
  instruments: 1_000,
  days: 2_500,
});
const firstDay = 16_000;
const msPerDay = 86_400_000;
const reads = 200;

const tickers = Array.from({ length: instruments }, (_, at) => `T${at}` as Ticker);
const all = { from: firstDay as EpochDay, to: (firstDay + days) as EpochDay };

async function main(): Promise<void> {
  await using scratch = await scratchDirectory();
  const directory = scratch.path;
  {
    await using store = await openSqliteStore({ directory });
    await fill(store);
  }
  await report('closes', directory);
  {
    await using store = await openSqliteStore({ directory });
    const begun = process.cpuUsage();
    for (let day = 0; day < days; day += 1) await correct(store, day);
    const corrections = days * instruments;
    print(`${corrections} corrections`, `${(spentUs(begun) / corrections).toFixed(1)} µs each`);
    await measureReads(store);
  }
  await report('with corrections', directory);
}

async function fill(store: Store): Promise<void> {
  await store.history.transaction(
    async (transaction) => {
      for (const ticker of tickers) {
        const closes = Array.from({ length: days }, (_, at) => closeOf(at, 0));
        await transaction.put(ticker, closes);
      }
    },
    { origin: 'import', now: () => firstDay * msPerDay },
  );
}

/** Corrects one close of each instrument, as a source does on the day after. */
function correct(store: Store, day: number): Promise<void> {
  return store.history.transaction(
    async (transaction) => {
      for (const ticker of tickers) await transaction.put(ticker, [closeOf(day, 0.5)]);
    },
    { origin: 'fetch', now: () => (firstDay + day + 1) * msPerDay },
  );
}

function closeOf(at: number, added: number): DailyClose {
  const close = 100 + at / 7 + added;
  const day = (firstDay + at) as EpochDay;
  return {
    day,
    close,
    volume: at * 3,
    open: close - 1,
    high: close + 1,
    low: close - 2,
    source: 'x',
  };
}

async function measureReads(store: Store): Promise<void> {
  const halfway = (firstDay + days / 2) * msPerDay;
  const kinds = {
    'series as it is': async (ticker: Ticker) => store.history.readCloses(ticker, all),
    'series as known': async (ticker: Ticker) =>
      valuesAt(await store.memory.readCloses(ticker, all), halfway, ({ day }) => day),
  };
  for (const [what, read] of Object.entries(kinds)) {
    const begun = process.cpuUsage();
    for (let at = 0; at < reads; at += 1) await read(tickers[at % instruments] as Ticker);
    print(what, `${(spentUs(begun) / reads / 1_000).toFixed(2)} ms`);
  }
}

/** The processor time of this process since then, in microseconds. */
function spentUs(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}

async function report(what: string, directory: string): Promise<void> {
  const { size } = await stat(join(directory, databaseFileName));
  print(what, `${(size / 1e6).toFixed(0)} MB`);
}

function print(what: string, value: string): void {
  say(`${what}: ${value}`);
}

await main();
