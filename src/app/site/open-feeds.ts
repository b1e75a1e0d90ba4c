import type { Universe } from '../../domain/universe.ts';
import type { FeedConfig, ReplayFeedConfig } from '../../feeds/feed-config.ts';
import type { Feed, Source } from '../../feeds/feed.ts';
import { ReplayClock } from '../../feeds/replay/replay-clock.ts';
import { createReplayFeed } from '../../feeds/replay/replay-feed.ts';
import { createSimulatedFeed } from '../../feeds/simulated/simulated-feed.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Ingest } from '../../pipeline/ingest.ts';
import type { FeedTallies } from '../../pipeline/feed-state.ts';
import { superviseFeeds } from '../../pipeline/supervise-feeds.ts';
import type { FeedSupervisor } from '../../pipeline/supervise-feeds.ts';
import type { ConfiguredFeeds } from './read-feeds.ts';

/** The name under which pushed updates are counted if no push feed is configured. */
const pushName = 'push';

/** The source of pushed updates without a configured feed. It has no stale limit. */
const unconfiguredPush: Source = { name: pushName, staleAfterMs: Infinity, markets: undefined };

/** The clock of a market with these feeds: the clock of a recording, or the system clock. */
export function clockFor({ feeds }: ConfiguredFeeds): Clock {
  const replay = feeds.find(isReplay);
  return replay === undefined
    ? systemClock
    : new ReplayClock({ real: systemClock, speed: replay.speed });
}

/** Whether one of these feeds simulates prices at any hour. */
export function isAlwaysOpen({ feeds }: ConfiguredFeeds): boolean {
  return feeds.some((feed) => feed.type === 'simulated' && feed.alwaysOpen);
}

/** The running feeds of a market. */
export interface OpenFeeds extends FeedSupervisor {
  /** The name under which pushed updates are counted. */
  readonly pushName: string;
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
  },
): OpenFeeds {
  const { ingest, universe, clock, log, tallies } = deps;
  const makeFeed = (config: FeedConfig): Feed[] => {
    switch (config.type) {
      case 'push':
        return [];
      case 'simulated':
        return [createSimulatedFeed(config, { universe, clock })];
      case 'replay': {
        if (!(clock instanceof ReplayClock)) throw new Error('a replay needs a ReplayClock');
        return [createReplayFeed(config, { clock, directory, log })];
      }
    }
  };
  const pushed = feeds.filter(({ type }) => type === 'push');
  const supervisor = superviseFeeds({
    feeds: feeds.flatMap(makeFeed),
    pushed: pushed.length > 0 ? pushed : [unconfiguredPush],
    ingest,
    universe,
    clock,
    random: Math.random,
    log,
    tallies,
  });
  return {
    pushName: pushed[0]?.name ?? pushName,
    intake: (name) => supervisor.intake(name),
    states: () => supervisor.states(),
    [Symbol.asyncDispose]: () => supervisor[Symbol.asyncDispose](),
  };
}

function isReplay(config: FeedConfig): config is ReplayFeedConfig {
  return config.type === 'replay';
}
