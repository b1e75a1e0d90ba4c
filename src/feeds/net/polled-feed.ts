import type { Ticker } from '../../domain/ticker.ts';
import { sourceOf } from '../feed-type.ts';
import type { FeedConfig, FeedDeps } from '../feed-type.ts';
import type { Feed } from '../feed.ts';
import type { FetchLimits } from '../network-limits.ts';
import { emptyFeed } from './empty-feed.ts';
import { createFetch } from './fetch-limited.ts';
import { createPoll } from './poll.ts';
import type { PollRequest } from './poll.ts';
import { marketsOf, TradingHours } from './trading-hours.ts';

/** The configuration of a polled source: {@link networkFields} has these fields. */
interface PolledConfig extends FeedConfig {
  readonly pollSeconds: number;
  readonly delayMinutes: number;
}

/** What a source must say to be polled. */
export interface PolledSource {
  /** The tickers that are taken from it; the hours of their markets decide how often it is polled. */
  readonly tickers: ReadonlySet<Ticker>;
  readonly requests: readonly PollRequest[];
  /** The interval while all of their markets are closed, in seconds. */
  readonly closedPollSeconds: number;
  /**
   * How long after a close, and after its delay, the source still changes prices of the session, in
   * minutes.
   */
  readonly settleMinutes?: number;
  /** The pause between two requests of one poll, in milliseconds. */
  readonly spacingMs?: number;
  readonly limits?: Partial<FetchLimits>;
}

/** Most sources settle their closing prices within this time, in minutes. */
const usualSettleMinutes = 30;

/** A feed that polls a source over HTTP. Without tickers, it ends and connects to nothing. */
export function createPolledFeed(config: PolledConfig, deps: FeedDeps, source: PolledSource): Feed {
  const { settleMinutes = usualSettleMinutes, tickers } = source;
  if (tickers.size === 0) return emptyFeed(config, deps);
  const delayMs = config.delayMinutes * 60_000;
  const batches = createPoll(
    {
      requests: source.requests,
      hours: new TradingHours(deps.universe, {
        markets: marketsOf(deps.universe, tickers),
        graceMs: delayMs + settleMinutes * 60_000,
      }),
      pollMs: config.pollSeconds * 1_000,
      closedPollMs: source.closedPollSeconds * 1_000,
      spacingMs: source.spacingMs ?? 0,
      delayMs,
    },
    {
      ...deps,
      fetch: createFetch({ clock: deps.clock, limits: { ...source.limits, ...deps.fetchLimits } }),
    },
  );
  return { ...sourceOf(config), batches };
}
