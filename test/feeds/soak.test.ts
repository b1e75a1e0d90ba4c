import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { feedTypes } from '../../src/config/feeds/feed-types.ts';
import { toEpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Quote } from '../../src/domain/quotes/quote.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { Engine } from '../../src/engine/engine.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { Ingest } from '../../src/pipeline/live/ingest.ts';
import { Persist } from '../../src/pipeline/live/persist.ts';
import { superviseFeeds } from '../../src/pipeline/live/supervise-feeds.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { SourceServer } from '../support/http/source-server.ts';
import { misbehave, type Faults } from './soak/misbehave.ts';
import {
  isRecorded,
  priceAt,
  recordedPrices,
  tickers,
  universe,
  type RecordedTicker,
} from './soak/recording.ts';
import { createFeeds, soakedSources } from './soak/sources.ts';
import {
  closesAt,
  date,
  endsAt,
  FastClock,
  isLong,
  minuteMs,
  startsAt,
  timeout,
} from './soak/timetable.ts';
import { testClock } from '../support/market/test-change.ts';

// Every source over a session, faster than real time, with faults drawn from a seed. `npm test` runs
// the last hours of a session. `npm run test:soak` runs a whole day at thirty times the speed.

/**
 * The most that memory may grow in the second half, in MiB. In the whole day, a leak of 1 KB for each
 * poll is more. In the last hours, most of the growth is code that is compiled for the first time.
 */
const growthMiBMax = isLong ? 4 : 8;

/** The types that connect to nothing. */
const localTypes = ['push', 'replay', 'simulated'];

/** The memory in use after a collection, in MiB. */
function heapMiB(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1_048_576;
}

interface Soaked {
  readonly quotes: ReadonlyMap<string, Quote>;
  readonly closes: Readonly<Record<string, readonly number[]>>;
  readonly invented: readonly string[];
  readonly faults: Faults;
  readonly growthMiB: number;
}

async function run(t: TestContext): Promise<Soaked> {
  await using server = await SourceServer.start();
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  using clock = new FastClock();
  const { pause } = clock;
  const faults = misbehave(server, clock);
  const engine = new Engine(universe, { settleDelayMs: 15 * minuteMs, nextVersion: 1 });
  const quotes = new Map<string, Quote>();
  const invented: string[] = [];
  const publish = (changed: readonly Quote[]): void => {
    for (const quote of changed) {
      const { last, asOf } = quote;
      const ticker = quote.instrument.ticker as string as RecordedTicker;
      quotes.set(ticker, quote);
      if (asOf === undefined || !isRecorded(ticker, last, asOf)) {
        invented.push(`${ticker} ${last} at ${new Date(asOf ?? 0).toISOString()}`);
      }
    }
  };
  await using persist = new Persist({
    clock: testClock,
    quotes: store.quotes,
    publish,
    log: silentLog,
  });
  const ingest = new Ingest({ engine, persist, clock });
  const random = Math.random.bind(Math);
  const feeds = createFeeds(server, { clock, pause, random });
  const settle = async (): Promise<void> => persist.submit(engine.settle(clock.now()));
  let growthMiB = 0;
  {
    await using _ = superviseFeeds({
      feeds,
      ingest,
      universe,
      clock,
      random,
      log: silentLog,
      pause,
    });
    const halfwayAt = (startsAt + endsAt) / 2;
    let halfMiB: number | undefined;
    for (let now = startsAt; now < endsAt; now = clock.now()) {
      await pause(minuteMs, t.signal);
      await settle();
      if (now > halfwayAt) halfMiB ??= heapMiB();
    }
    growthMiB = heapMiB() - (halfMiB ?? Number.NaN);
  }
  await settle();
  const closes: Record<string, readonly number[]> = {};
  const day = toEpochDay(date);
  for (const ticker of tickers) {
    const range = { from: day, to: day };
    const series = await store.history.readSeries(ticker as string as Ticker, range);
    closes[ticker] = [...series.closes];
  }
  return { quotes, closes, invented, faults, growthMiB };
}

test('the soak plays every type of source that connects to something', () => {
  assert.deepEqual(
    [...new Set(soakedSources.map(({ type }) => type.type)), ...localTypes].toSorted(),
    feedTypes.map(({ type }) => type).toSorted(),
  );
  const played = new Set(soakedSources.flatMap((source) => source.tickers));
  assert.deepEqual([...played].toSorted(), tickers.toSorted());
});

test(
  'with faults drawn from a seed, every close is that of the recording, no price is invented, and memory is flat',
  { timeout },
  async (t) => {
    const { quotes, closes, invented, faults, growthMiB } = await run(t);
    const met = [...faults.values()].flatMap((kinds) => [...kinds]);
    const count = met.reduce((sum, [, times]) => sum + times, 0);
    const kinds = new Set(met.map(([kind]) => kind)).size;
    t.diagnostic(
      `${count} faults of ${kinds} kinds on ${faults.size} paths, memory grew by ${growthMiB.toFixed(1)} MiB`,
    );
    // A busy machine makes fewer requests in the same time.
    assert.ok(count >= 8 && kinds >= 4 && faults.size >= 4, `${count} faults`);
    assert.deepEqual(invented, []);
    const expected = tickers.map((ticker) => [ticker, [priceAt(ticker, closesAt)]]);
    assert.deepEqual(closes, Object.fromEntries(expected));
    for (const ticker of tickers) {
      const recorded = recordedPrices(ticker);
      const { open, high, low } = quotes.get(ticker) ?? assert.fail(ticker);
      for (const price of [open, high, low])
        assert.ok(recorded.has(price ?? 0), `${ticker} ${price}`);
    }
    assert.ok(growthMiB < growthMiBMax, `memory grew by ${growthMiB} MiB`);
  },
);
