import type { Board } from '../../board/board.ts';
import type { Universe } from '../../domain/universe.ts';

import { sourceOf } from '../../feeds/feed-type.ts';
import type { FeedDeps } from '../../feeds/feed-type.ts';
import type { Source } from '../../feeds/feed.ts';
import type { HistorySource } from '../../feeds/history-source.ts';
import { Secrets } from '../../feeds/secrets.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { pauseInRealTime } from '../../lib/pause.ts';
import type { Ingest } from '../../pipeline/ingest.ts';
import type { FeedTallies } from '../../pipeline/feed-state.ts';
import { superviseFeeds } from '../../pipeline/supervise-feeds.ts';
import type { FeedSupervisor } from '../../pipeline/supervise-feeds.ts';
import type { ConfiguredFeeds } from './read-feeds.ts';

/** The name under which pushed updates are counted if no push feed is configured. */
const pushName = 'push';

/**
 * The source of pushed updates without a configured feed. It has no stale limit, and the lowest
 * priority: the order in the configuration does not name it.
 */
const unconfiguredPush: Source = { name: pushName, staleAfterMs: Infinity, markets: undefined };

/** The clock of a market with these feeds: the one that a feed brings, or the machine's. */
export function clockFor({ feeds }: ConfiguredFeeds): Clock {
  for (const { type, config } of feeds) {
    const clock = type.createClock?.(config, systemClock);
    if (clock !== undefined) return clock;
  }
  return systemClock;
}

/** Whether one of these feeds sends prices at any hour. */
export function isAlwaysOpen({ feeds }: ConfiguredFeeds): boolean {
  return feeds.some(({ type, config }) => type.ignoresSessions?.(config) === true);
}

/** The running feeds of a market. */
export interface OpenFeeds extends FeedSupervisor {
  /** The name under which pushed updates are counted. */
  readonly pushName: string;
}

/** What the feeds of a configuration in this directory are built from. */
function feedDepsOf(
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

/** The readers of daily history of these feeds, in the order of the configuration. */
export function historySources(
  { feeds, directory }: ConfiguredFeeds,
  deps: Pick<FeedDeps, 'universe' | 'clock' | 'log'>,
): readonly HistorySource[] {
  const feedDeps = feedDepsOf(directory, deps);
  return feeds.flatMap(({ type, config }) => type.createHistory?.(config, feedDeps) ?? []);
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
  },
): OpenFeeds {
  const { ingest, universe, clock, log, tallies, board } = deps;
  const feedDeps = feedDepsOf(directory, { universe, clock, log });
  const { secrets } = feedDeps;
  const pushed = feeds.filter(({ type }) => type.create === undefined);
  const pushedSources = pushed.map(({ config }) => sourceOf(config));
  const supervisor = superviseFeeds({
    feeds: feeds.flatMap(({ type, config }) => type.create?.(config, feedDeps) ?? []),
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
    restored: (instrument) => board.quote(instrument)?.source?.name,
  });
  return {
    pushName: pushedSources[0]?.name ?? pushName,
    intake: (name) => supervisor.intake(name),
    states: () => supervisor.states(),
    [Symbol.asyncDispose]: () => supervisor[Symbol.asyncDispose](),
  };
}
