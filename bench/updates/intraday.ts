/**
 * The cost of recording bars, and their size.
 *
 * - The processor time of an update with and without recording, from the engine to the durable commit,
 *   JSON and HTTP not included. The two alternate, so that disturbances of the machine affect both.
 * - The commit in which every instrument finishes a bar.
 * - The bars of many instruments over ten sessions: size on disk, memory, time to pack a day and to read.
 *
 * Usage: node bench/updates/intraday.ts [INSTRUMENTS] [SESSIONS] [SEGMENTS]
 * With 0 sessions, only the cost is measured; with 0 segments, only the size.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { openPipeline, type Pipeline } from '../../src/node/market/open-pipeline.ts';
import type { Bar, TickerBar } from '../../src/domain/quotes/minute-bar.ts';
import {
  addDays,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { Update } from '../../src/domain/quotes/update.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { databaseFileName } from '../../src/store/sqlite/file/database-file.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { clockAt } from '../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { readNumbers } from '../support/arguments.ts';
import { seededRandom } from '../support/random.ts';
import { peakMemoryMiB, processorTimeOf, report, secondsOf } from '../support/report.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { median } from '../support/statistics.ts';

const { instruments, sessions, segments } = readNumbers(import.meta.filename, {
  instruments: 10_000,
  sessions: 10,
  segments: 48,
});

/** A session of BYMA has this many minutes. */
const minutesPerSession = 390;
const firstDate = '2026-11-09' as PlainDate;
const random = seededRandom(42);

/** Steps of a segment: in each, every instrument gets one update. */
const stepsPerSegment = 5;
/** The first segments warm up. */
const warmUp = 6;

const tickers = Array.from({ length: 650 }, (_, index) => `T${index}` as Ticker);
const start = Date.parse(`${firstDate}T10:30:00-03:00`);

interface Load {
  readonly updatesPerBar: number;
  readonly batchLength: number;
}

for (const updatesPerBar of segments > 0 ? [1, 10, 60] : []) {
  await measureCost({ updatesPerBar, batchLength: 20 });
  await measureCost({ updatesPerBar, batchLength: 500 });
}
if (sessions > 0) await measureSize();
report('peak memory', peakMemoryMiB(), 'MiB');

/**
 * Compares the processor time of updates with and without recording. Two markets get the same updates, one
 * segment each in turn. So each pair of figures is from the same moment.
 */
async function measureCost(load: Load): Promise<void> {
  await using on = await openSide(10);
  await using off = await openSide(0);
  const spent = { on: [] as number[], off: [] as number[] };
  for (let segment = 0; segment < segments; segment += 1) {
    const updates = updatesOf(load, segment);
    const sides = [
      ['on', on],
      ['off', off],
    ] as const;
    for (const [name, { market }] of segment % 2 === 0 ? sides : sides.toReversed()) {
      const cost = await costOfUpdate(market, updates, load.batchLength);
      if (segment >= warmUp) spent[name].push(cost);
    }
  }
  const ratios = spent.on.map((cost, at) => cost / (spent.off[at] ?? Number.NaN) - 1);
  const { updatesPerBar, batchLength } = load;
  const what = `${updatesPerBar} updates a bar, batches of ${batchLength}`;
  report(`an update without recording, ${what}`, median(spent.off), 'µs CPU');
  report(`an update with recording, ${what}`, median(spent.on), 'µs CPU');
  report(`recording adds, ${what}`, median(ratios) * 100, '%');
}

/** A market over a store of its own. */
async function openSide(
  intradaySessions: number,
): Promise<AsyncDisposable & { readonly market: Pipeline }> {
  await using cleanUp = new AsyncDisposableStack();
  const directory = cleanUp.use(await scratchDirectory());
  const store = cleanUp.use(await openSqliteStore({ directory: directory.path, writer: 'worker' }));
  const market = cleanUp.use(
    await openPipeline({
      universe: makeUniverse(tickers.map((ticker) => ({ ticker }))),
      store,
      clock: clockAt(() => start + 6 * 3_600_000),
      log: silentLog,
      settleDelayMs: 900_000,
      intradaySessions,
    }),
  );
  const opened = cleanUp.move();
  return { market, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** The updates of one segment: several for each instrument, in turn. Each changes something. */
function updatesOf({ updatesPerBar }: Load, segment: number): readonly Update[] {
  return Array.from({ length: tickers.length * stepsPerSegment }, (_, index): Update => {
    const step = segment * stepsPerSegment + Math.floor(index / tickers.length);
    return {
      ticker: tickers[index % tickers.length] ?? ('' as Ticker),
      at: start + Math.floor((step * 60_000) / updatesPerBar) + (index % tickers.length),
      last: (10_000 + ((step * 37 + index * 101) % 2_000)) / 100,
      volume: step * 100,
    };
  });
}

/** The processor time of one update, of all threads, in microseconds. */
async function costOfUpdate(
  market: Pipeline,
  updates: readonly Update[],
  batchLength: number,
): Promise<number> {
  const microseconds = await processorTimeOf(() => pushAll(market, updates, batchLength));
  return microseconds / updates.length;
}

/** Pushes as one program does that waits for the acknowledgement of each batch. */
async function pushAll(
  { ingest }: Pipeline,
  updates: readonly Update[],
  batchLength: number,
): Promise<void> {
  for (let from = 0; from < updates.length; from += batchLength) {
    const outcomes = await ingest.submit(updates.slice(from, from + batchLength));
    if (outcomes.some((outcome) => outcome !== 'accepted')) throw new Error('not all accepted');
  }
}

async function measureSize(): Promise<void> {
  await using directory = await scratchDirectory();
  await using store = await openSqliteStore({ directory: directory.path, writer: 'worker' });
  const walks = Array.from({ length: instruments }, () => Math.round(100 + random() * 100_000));
  const database = join(directory.path, databaseFileName);
  const commits: number[] = [];
  const longest: number[] = [];
  let packing = 0;
  let day = toEpochDay(firstDate);
  let minute = 0;
  for (let session = 0; session < sessions; session += 1) {
    day = toEpochDay(addDays(firstDate, session));
    for (let at = 0; at < minutesPerSession; at += 1) {
      minute = day * 1_440 + 810 + at;
      const bars = walks.map((_, index) => nextBar(walks, { index, day, minute }));
      commits.push(await secondsOf(() => store.quotes.commit({ quotes: [], closes: [], bars })));
    }
    if (session === 0) {
      const size = statSync(database).size;
      report('size of a day before it is packed', size / 1e6, 'MB');
      report('per bar', size / (instruments * minutesPerSession), 'bytes');
      await readAll(store, 'not packed', day);
    }
    packing += await secondsOf(async () => {
      longest.push(await tidy(store, minute + 1));
    });
  }
  report(`commit of ${instruments} bars, median`, median(commits) * 1e3, 'ms');
  report(`commit of ${instruments} bars, max`, Math.max(...commits) * 1e3, 'ms');
  report('packing a day, in all', packing / sessions, 's');
  report('longest step of packing', Math.max(...longest) * 1e3, 'ms');
  const bars = instruments * minutesPerSession * sessions;
  const size = statSync(database).size;
  report(`size of the database, ${(bars / 1e6).toFixed(1)} million bars`, size / 1e6, 'MB');
  report('of it per bar, with the room of the day under way', size / bars, 'bytes');
  await readAll(store, 'packed', day);
  const seconds = await secondsOf(async () => {
    for (let at = 0; at < 20; at += 1) await readOne(store, at, toEpochDay(firstDate), day);
  });
  report(`read ${sessions} sessions of one instrument`, (seconds / 20) * 1e3, 'ms');
}

/** Tidies until nothing is left to do. Gives the duration of the longest step, in seconds. */
async function tidy(store: Store, idleSince: number): Promise<number> {
  let longest = 0;
  for (;;) {
    const since = performance.now();
    const isMore = await store.bars.tidyBars({ idleSince, sessionsMax: sessions });
    longest = Math.max(longest, (performance.now() - since) / 1e3);
    if (!isMore) return longest;
  }
}

async function readAll(store: Store, what: string, day: EpochDay): Promise<void> {
  const times = 100;
  const seconds = await secondsOf(async () => {
    for (let at = 0; at < times; at += 1) await readOne(store, at, day, day);
  });
  report(`read a session of one instrument, ${what}`, (seconds / times) * 1e3, 'ms');
}

async function readOne(store: Store, at: number, from: EpochDay, to: EpochDay): Promise<void> {
  const ticker = `T${(at * 7919) % instruments}` as Ticker;
  const bars = await store.bars.readBars(ticker, { from, to });
  if (bars.length < minutesPerSession) throw new Error(`${bars.length} bars`);
}

/** The next bar of a random walk in steps of the price's usual tick. */
function nextBar(
  walks: number[],
  {
    index,
    day,
    minute,
  }: { readonly index: number; readonly day: EpochDay; readonly minute: number },
): TickerBar {
  const price = walks[index] ?? 100;
  const tick = price > 1_000 ? 0.5 : 0.05;
  const step = (): number => Math.round((random() - 0.5) * 6) * tick;
  const open = rounded(price + step());
  const last = rounded(Math.max(tick, open + step()));
  walks[index] = last;
  const bar: Bar = {
    day,
    minute,
    open,
    high: rounded(Math.max(open, last) + Math.floor(random() * 3) * tick),
    low: rounded(Math.max(tick, Math.min(open, last) - Math.floor(random() * 3) * tick)),
    last,
    volume: Math.floor(random() * 5_000),
  };
  return { ticker: `T${index}` as Ticker, bar };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
