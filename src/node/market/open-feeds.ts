import type { Board } from '../../board/board.ts';
import { openAllDay } from '../../domain/instruments/open-all-day.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';

import type { ConfiguredFeed } from '../../feeds/contract/feed-config.ts';
import { sourceOf, type FeedDeps } from '../../feeds/contract/feed-type.ts';
import type { Feed, Source } from '../../feeds/contract/feed.ts';
import type { HistorySource, IndexSource } from '../../feeds/contract/history-source.ts';
import type { FollowedServices } from '../../feeds/contract/followed-services.ts';
import { Secrets } from '../../feeds/contract/secrets.ts';
import { systemClock, type Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { Ingest } from '../../pipeline/live/ingest.ts';
import type { FeedTallies } from '../../pipeline/live/feed-state.ts';
import { superviseFeeds, type FeedSupervisor } from '../../pipeline/live/supervise-feeds.ts';
import type { ConfiguredFeeds } from '../../config/feeds/read-feeds.ts';

/** The name under which pushed updates are counted if no push feed is configured. */
const pushName = 'push';

/**
 * The source of pushed updates without a configured feed. It has no stale limit, and the lowest
 * priority: the order in the configuration does not name it.
 */
const unconfiguredPush: Source = {
  name: pushName,
  staleAfterMs: Infinity,
  markets: undefined,
  delayMinutes: 0,
};

/** The clock of a market with these feeds: the one that a feed brings, or the machine's. */
export function clockFor({ feeds }: ConfiguredFeeds): Clock {
  for (const { type, config } of feeds) {
    const clock = type.createClock?.(config, systemClock);
    if (clock !== undefined) return clock;
  }
  return systemClock;
}

/** The universe of a market with these feeds: with the configured hours, or open all day. */
export function universeFor({ feeds }: ConfiguredFeeds, universe: Universe): Universe {
  const isOpenAllDay = feeds.some(({ type, config }) => type.opensAllDay?.(config) === true);
  return isOpenAllDay ? openAllDay(universe) : universe;
}

/** The running feeds of a market. */
export interface OpenFeeds extends FeedSupervisor {
  /** The name under which pushed updates are counted. */
  readonly pushName: string;
}

/** What the feeds of a configuration in this directory are built from. */
export function feedDepsOf(
  directory: string,
  deps: Pick<FeedDeps, 'universe' | 'clock' | 'log'>,
): FeedDeps {
  return {
    ...deps,
    random: Math.random,
    pause: pauseInRealTime,
    directory,
    secrets: new Secrets({ env: process.env, directory }),
  };
}

/** A feed of a configuration. Undefined for a source that pushes by itself. */
export function createFeed(one: ConfiguredFeed, deps: FeedDeps): Feed | undefined {
  return one.type.create?.(one.config, connectedAs(one, deps));
}

/** How a feed connects, by its configuration. */
function connectedAs({ config: { userAgent }, ca }: ConfiguredFeed, deps: FeedDeps): FeedDeps {
  const network = {
    ...deps.network,
    ...(ca === undefined ? {} : { ca }),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
  return { ...deps, network };
}

/** The readers of daily history of these feeds, in the order of the configuration. */
export function historySources(
  { feeds, directory }: ConfiguredFeeds,
  deps: Pick<FeedDeps, 'universe' | 'clock' | 'log'>,
): readonly HistorySource[] {
  const feedDeps = feedDepsOf(directory, deps);
  return feeds.flatMap(
    (one) => one.type.createHistory?.(one.config, connectedAs(one, feedDeps)) ?? [],
  );
}

/** The readers of indices of these feeds, in the order of the configuration. */
export function indexSources(
  { feeds, directory }: ConfiguredFeeds,
  deps: Pick<FeedDeps, 'universe' | 'clock' | 'log'>,
): readonly IndexSource[] {
  const feedDeps = feedDepsOf(directory, deps);
  return feeds.flatMap(
    (one) => one.type.createIndices?.(one.config, connectedAs(one, feedDeps)) ?? [],
  );
}

/** The feeds of a configuration, in its order. Each knows the instruments of those before it. */
function createFeeds(feeds: readonly ConfiguredFeed[], deps: FeedDeps): readonly Feed[] {
  const earlier = new Set<Ticker>();
  return feeds.flatMap((one) => {
    const feed = createFeed(one, { ...deps, earlier: new Set(earlier) });
    for (const ticker of feed?.tickers ?? []) earlier.add(ticker);
    return feed ?? [];
  });
}

/** Starts the feeds of a market. */
export function openFeeds(
  { feeds, directory }: ConfiguredFeeds,
  deps: {
    readonly ingest: Pick<Ingest, 'submit'>;
    readonly universe: Universe;
    /** From {@link clockFor}. */
    readonly clock: Clock;
    readonly log: Log;
    readonly tallies: FeedTallies;
    /** The board, with the quotes from before a restart. */
    readonly board: Pick<Board, 'quote'>;
    /** Whether the minutes of sessions are recorded. */
    readonly recordsBars: boolean;
    readonly follows?: FollowedServices | undefined;
  },
): OpenFeeds {
  const { ingest, universe, clock, log, tallies, board, recordsBars, follows } = deps;
  const latestBar = (ticker: Ticker) => board.quote(universe.get(ticker))?.bar;
  const feedDeps = {
    ...feedDepsOf(directory, { universe, clock, log }),
    ...(recordsBars ? { latestBar } : {}),
    ...(follows === undefined ? {} : { follows }),
  };
  const { secrets } = feedDeps;
  const pushed = feeds.filter(({ type }) => type.create === undefined);
  const pushedSources = pushed.map(({ config }) => sourceOf(config));
  const supervisor = superviseFeeds({
    feeds: createFeeds(feeds, feedDeps),
    pushed: pushed.length > 0 ? pushedSources : [unconfiguredPush],
    order: [
      ...feeds.map(({ config }) => config.name),
      ...(pushed.length > 0 ? [] : [unconfiguredPush.name]),
    ],
    ingest,
    universe,
    clock,
    random: Math.random,
    log,
    tallies,
    secrets,
    latest: (instrument) => board.quote(instrument),
  });
  return {
    pushName: pushedSources[0]?.name ?? pushName,
    intake: (name) => supervisor.intake(name),
    states: () => supervisor.states(),
    sources: () => supervisor.sources(),
    [Symbol.asyncDispose]: () => supervisor[Symbol.asyncDispose](),
  };
}
