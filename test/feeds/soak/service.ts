import { openPipeline } from '../../../src/node/market/open-pipeline.ts';
import { Metrics } from '../../../src/node/metrics/metrics.ts';
import {
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../src/domain/calendar/plain-date.ts';
import type { Quote } from '../../../src/domain/quotes/quote.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { bymaType } from '../../../src/feeds/sources/byma.ts';
import { data912Type } from '../../../src/feeds/sources/data912.ts';
import { dolarapiType } from '../../../src/feeds/sources/dolarapi.ts';
import type { FeedType } from '../../../src/feeds/contract/feed-type.ts';
import { yahooType } from '../../../src/feeds/sources/yahoo.ts';
import { Noise } from '../../../src/lib/numbers/noise.ts';
import { silentLog } from '../../../src/lib/reports/log.ts';
import type { FeedTallies } from '../../../src/pipeline/live/feed-state.ts';
import { superviseFeeds } from '../../../src/pipeline/live/supervise-feeds.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { createFeed } from '../sources/source-suite.ts';
import type { SteppedClock } from './stepped-clock.ts';
import { minuteMs } from './timetable.ts';
import { sessionBefore } from './rows.ts';
import {
  sessionUniverse,
  sourceNames,
  tickersOf,
  tradedTickers,
  type SourceName,
  type TrueMarket,
} from './true-market.ts';
import { testStamp } from '../../support/market/test-change.ts';

const sources: Readonly<Record<SourceName, { type: FeedType; config?: object }>> = {
  data912: { type: data912Type, config: { pollSeconds: 20 } },
  byma: { type: bymaType },
  dolarapi: { type: dolarapiType, config: { pollSeconds: 60 } },
  yahoo: { type: yahooType },
};

/** What outlives a restart of the service. */
interface Surroundings {
  readonly directory: string;
  readonly url: string;
  readonly clock: SteppedClock;
  readonly seed: number;
  readonly tallies: FeedTallies;
  /** The number of each decision of the judge. */
  readonly judged: Map<string, number>;
}

/** The running service: its store, its market and its feeds. */
export interface SoakedService extends AsyncDisposable {
  readonly store: Store;
  readonly feeds: number;
  quote(ticker: string): Quote | undefined;
}

/** Starts the service as it is, but for the clock and the addresses of the sources. */
export async function startService(surroundings: Surroundings): Promise<SoakedService> {
  const { directory, url, clock, seed, tallies, judged } = surroundings;
  await using cleanUp = new AsyncDisposableStack();
  const store = cleanUp.use(await openSqliteStore({ directory }));
  const universe = sessionUniverse;
  const observer = {
    ...new Metrics({ version: '0' }).pipeline(),
    judged: (decision: string) => judged.set(decision, (judged.get(decision) ?? 0) + 1),
  };
  const market = cleanUp.use(
    await openPipeline({
      universe,
      store,
      clock,
      log: silentLog,
      settleDelayMs: 15 * minuteMs,
      intradaySessions: 5,
      observer,
    }),
  );
  const { pause } = clock;
  const noise = new Noise(seed, 'spread');
  let drawn = 0;
  const random = (): number => noise.uniform((drawn += 1));
  const feeds = sourceNames.map((name, index) => {
    const { type, config } = sources[name];
    const earlier = new Set(sourceNames.slice(0, index).flatMap(tickersOf));
    return createFeed(
      {
        type,
        universe,
        now: clock.now(),
        config: { ...config, name, instruments: { include: tickersOf(name) } },
      },
      url,
      { clock, pause, random, earlier: earlier as ReadonlySet<string> as ReadonlySet<Ticker> },
    );
  });
  const { ingest } = market;
  cleanUp.use(
    superviseFeeds({ feeds, ingest, universe, clock, random, log: silentLog, pause, tallies }),
  );
  const running = cleanUp.move();
  return {
    store,
    feeds: feeds.length,
    quote(ticker) {
      const instrument = universe.find(ticker);
      return instrument && market.board.quote(instrument);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function day(date: string): EpochDay {
  return toEpochDay(date as PlainDate);
}

/** Stores the closes of the sessions before. */
export async function storeCloses(directory: string, market: TrueMarket): Promise<void> {
  await using store = await openSqliteStore({ directory });
  for (const ticker of tradedTickers) {
    const closes = market.storedClosesOf(ticker);
    if (closes === undefined) continue;
    await store.history.transaction(
      (transaction) =>
        transaction.put(ticker as string as Ticker, [
          { day: day('2025-12-30'), close: closes.yearBase, volume: null },
          { day: day('2026-10-30'), close: closes.monthBase, volume: null },
          { day: day('2026-11-19'), close: closes.previous, ...sessionBefore(closes.previous) },
        ]),
      testStamp,
    );
  }
}
