import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { minuteAt } from '../../../test/support/market/bar-samples.ts';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import {
  firstEpochDay,
  lastEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { StoreFault } from '../contract/store-fault.ts';
import type { Store } from '../contract/store.ts';
import { databaseFileName } from './file/database-file.ts';
import { checkPages } from './health/check-pages.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { changeAt, testChange, testStamp } from '../../../test/support/market/test-change.ts';

const pageBytes = 4096;
const tickers = ['AL30', 'GGAL', 'DOLAR MEP'] as readonly string[] as readonly Ticker[];
const always = { from: firstEpochDay, to: lastEpochDay };
const lastDay = toEpochDay('2026-11-20' as PlainDate);
const closesPerTicker = 260;
/** Maximum number of steps of tidying. Three instruments need a few. */
const tidyStepsMax = 100;

/** Reads everything that a response may be made of. */
const reads: Readonly<Record<string, (store: Store) => Promise<unknown>>> = Object.fromEntries([
  ...tickers.flatMap((ticker) => [
    [`series of ${ticker}`, (store: Store) => store.history.readSeries(ticker, always)],
    [`bars of the history of ${ticker}`, (store: Store) => store.history.readBars(ticker, always)],
    [`closes of ${ticker}`, (store: Store) => store.history.readCloses(ticker, always)],
    [
      `some closes of ${ticker}`,
      (store: Store) =>
        store.history.readCloses(ticker, {
          from: (lastDay - 100) as EpochDay,
          to: (lastDay - 50) as EpochDay,
        }),
    ],
    [`minutes of ${ticker}`, (store: Store) => store.bars.readBars(ticker, always)],
    [
      `last minutes of ${ticker}`,
      (store: Store) =>
        store.bars.readBars(ticker, { ...always, sinceMinute: minuteAt('2026-11-20', '13:05') }),
    ],
    [`latest day with bars of ${ticker}`, (store: Store) => store.bars.latestBarDay(ticker)],
  ]),
  ['latest closes', (store: Store) => store.history.latestCloses(tickers)],
  [
    'references',
    (store: Store) =>
      store.history.referenceCloses(
        tickers.map((ticker) => ({ ticker, sessionDate: '2026-11-20' as PlainDate })),
      ),
  ],
  ['changed instruments', async (store: Store) => (await store.history.changesSince(0)).tickers],
  ['actions', async (store: Store) => (await store.actions.readAll()).values],
  ['indices', async (store: Store) => (await store.indices.readAll()).values],
  ['replaced indices', (store: Store) => store.indices.readReplaced()],
  ['memory of indices', (store: Store) => store.indices.readVersions()],
  ['memory of closes', (store: Store) => store.memory.readCloses(tickers[0] as Ticker, always)],
  ['memory of actions', (store: Store) => store.actions.readVersions()],
  ['memory of terms', (store: Store) => store.terms.readVersions()],
  ['begin of the memory', (store: Store) => store.memory.knownSince(tickers[0] as Ticker)],
  ['keys', async (store: Store) => (await store.keys.readAll()).keys],
  ['audit log', (store: Store) => store.keys.readEvents({ max: Number.MAX_SAFE_INTEGER })],
  ['quotes', (store: Store) => store.quotes.readAll()],
] as const);

const damages: Readonly<Record<string, (page: Buffer, at: number) => void>> = {
  'overwritten with random bytes': (page) => void randomBytes(pageBytes).copy(page),
  'overwritten with zeros': (page) => void page.fill(0),
  'overwritten in part': (page, at) => void randomBytes(700).copy(page, 100 + ((at * 37) % 3_000)),
  'changed in one byte of its header': (page, at) => flip(page, at % 12),
  'changed in one byte of its first cells': (page, at) => flip(page, pageBytes - 1 - (at % 300)),
  'changed in one byte': (page, at) => flip(page, (at * 997) % pageBytes),
};

test('no overwritten page of a store makes a read give other rows than were stored, or fewer', async (t) => {
  const { path, directory, sound, expected } = await makeStore(t);
  const pages = sound.length / pageBytes;
  assert.ok(pages > 30, `the store has ${pages} pages`);
  let refused = 0;
  for (const [kind, damage] of Object.entries(damages)) {
    for (let page = 0; page < pages; page += 1) {
      const bytes = Buffer.from(sound);
      damage(bytes.subarray(page * pageBytes, (page + 1) * pageBytes), page);
      refused += await readDamaged({ path, directory, bytes, expected }, `page ${page} ${kind}`);
    }
  }
  assert.ok(refused > pages, `only ${refused} reads were refused`);
});

test('every byte of a page of closes that is changed is noticed by the read or has no effect', async (t) => {
  const { path, directory, sound, expected } = await makeStore(t);
  const marked = Buffer.alloc(8);
  marked.writeDoubleBE(closeOf(1, 200));
  const page = Math.floor(sound.indexOf(marked) / pageBytes) * pageBytes;
  assert.ok(page > 0);
  let refused = 0;
  for (let at = 0; at < pageBytes; at += 41) {
    const bytes = Buffer.from(sound);
    flip(bytes, page + at);
    refused += await readDamaged({ path, directory, bytes, expected }, `byte ${page + at}`);
  }
  assert.ok(refused > 50, `only ${refused} reads were refused`);
});

test('the periodic check finds a number that was changed within a sound page', async (t) => {
  const { path, directory, sound } = await makeStore(t);
  const written = Buffer.alloc(8);
  written.writeDoubleBE(closeOf(2, 100));
  const changed = Buffer.alloc(8);
  changed.writeDoubleBE(closeOf(2, 100) + 1);
  const at = sound.indexOf(written);
  assert.ok(at > 0);
  const bytes = Buffer.from(sound);
  changed.copy(bytes, at);
  await writeFile(path, bytes);
  await assert.rejects(checkPages(directory, t.signal), { code: 'corrupt' });
});

interface Damaged {
  readonly path: string;
  readonly directory: string;
  readonly bytes: Buffer;
  readonly expected: Readonly<Record<string, unknown>>;
}

/** Reads everything from a damaged store. Returns how many reads were refused. */
async function readDamaged(
  { path, directory, bytes, expected }: Damaged,
  what: string,
): Promise<number> {
  for (const log of ['-wal', '-shm']) await rm(path + log, { force: true });
  await writeFile(path, bytes);
  let store: Store;
  try {
    store = await openSqliteStore({ directory, mode: 'read', busyWaitMs: 0 });
  } catch (fault) {
    requireFault(fault, what);
    return 1;
  }
  await using _ = store;
  let refused = 0;
  for (const [name, read] of Object.entries(reads)) {
    try {
      assert.deepEqual(await read(store), expected[name], `${what}: ${name}`);
    } catch (fault) {
      if (fault instanceof assert.AssertionError) throw fault;
      requireFault(fault, `${what}: ${name}`);
      refused += 1;
    }
  }
  return refused;
}

function requireFault(fault: unknown, what: string): void {
  assert.ok(fault instanceof StoreFault, `${what}: ${String(fault)}`);
}

function flip(bytes: Buffer, at: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ 0x55;
}

function closeOf(index: number, at: number): number {
  return 1_000.123 * (index + 1) + at * 0.77;
}

async function makeStore(t: TestContext): Promise<{
  readonly path: string;
  readonly directory: string;
  readonly sound: Buffer;
  readonly expected: Readonly<Record<string, unknown>>;
}> {
  const directory = await temporaryDirectory(t);
  const path = join(directory, databaseFileName);
  const expected: Record<string, unknown> = {};
  {
    await using store = await openSqliteStore({ directory });
    await fill(store);
    for (const [name, read] of Object.entries(reads)) expected[name] = await read(store);
  }
  return { path, directory, sound: await readFile(path), expected };
}

async function fill(store: Store): Promise<void> {
  await store.history.transaction(async (transaction) => {
    for (const [index, ticker] of tickers.entries()) {
      const closes = Array.from({ length: closesPerTicker }, (_, at): DailyClose => {
        const close = closeOf(index, at);
        const day = (lastDay - 1 - closesPerTicker + at) as EpochDay;
        return {
          day,
          close,
          volume: at,
          open: close - 1,
          high: close + 1,
          low: close - 2,
          source: 'x',
        };
      });
      await transaction.put(ticker, closes);
    }
  }, testStamp);
  const quotes = tickers.map((ticker, index): StoredQuote => ({
    ticker,
    version: index + 1,
    session: {
      sessionDate: '2026-11-20' as PlainDate,
      asOf: Date.parse('2026-11-20T14:00:00-03:00'),
      last: 100 + index,
      volume: 5,
      openAt: null,
      isInHistory: false,
      historyClose: null,
    },
    references: {},
  }));
  for (const date of ['2026-11-18', '2026-11-19']) {
    const bars = tickers.flatMap((ticker) => minutes(date, 150).map((bar) => ({ ticker, bar })));
    await store.quotes.commit({ quotes, closes: [], bars });
    const idleSince = minuteAt('2026-11-20', '00:00');
    const tidy = (): Promise<boolean> => store.bars.tidyBars({ idleSince, sessionsMax: 10 });
    for (let steps = 0; steps < tidyStepsMax; steps += 1) if (!(await tidy())) break;
  }
  const bars = tickers.flatMap((ticker) =>
    minutes('2026-11-20', 150).map((bar) => ({ ticker, bar })),
  );
  await store.quotes.commit({ quotes, closes: [], bars });
  const actions = Array.from({ length: 60 }, (_, at): CorporateAction => ({
    ticker: tickers[at % tickers.length] as Ticker,
    exDay: (lastDay - at) as EpochDay,
    type: 'split',
    factor: 2,
    source: 'a source with a name',
  }));
  await store.actions.apply({ put: actions }, testChange);
  await store.actions.apply(
    { put: actions.slice(0, 20).map((one) => ({ ...one, factor: 3 })), remove: actions.slice(50) },
    { at: testChange.at + 1, origin: 'fetch' },
  );
  const [corrected] = tickers as [Ticker];
  const some = { from: (lastDay - 100) as EpochDay, to: (lastDay - 20) as EpochDay };
  for (const add of [1, 2]) {
    await store.history.transaction(
      async (transaction) => {
        const rows = await transaction.read(corrected, some);
        await transaction.put(
          corrected,
          rows.map((row) => ({ ...row, close: row.close + add })),
        );
      },
      { origin: 'fetch', now: () => testChange.at + add },
    );
  }
  for (const value of [1, 2]) {
    const values = Array.from({ length: 100 }, (_, at) => ({
      index: 'CER' as const,
      day: (lastDay + 20 - at) as EpochDay,
      value: value + at,
      source: 'a source with a name',
    }));
    await store.indices.apply({ put: values }, changeAt(value));
  }
  for (let at = 0; at < 30; at += 1) {
    const sha256 = String(at).padStart(64, 'a');
    const key = {
      id: `key${at}`,
      name: `name ${at}`,
      scope: 'read',
      sha256,
      createdAt: at,
    } as const;
    await store.keys.insert(key, 'test');
  }
}

function minutes(date: string, count: number): Bar[] {
  return Array.from({ length: count }, (_, at) => ({
    day: toEpochDay(date as PlainDate),
    minute: minuteAt(date, '11:00') + at,
    open: at,
    high: at + 2,
    low: at - 1,
    last: at + 0.5,
    volume: at * 10,
  }));
}
