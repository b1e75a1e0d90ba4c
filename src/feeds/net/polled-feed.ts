import type { Ticker } from '../../domain/ticker.ts';
import { sourceOf } from '../feed-type.ts';
import type { FeedConfig, FeedDeps } from '../feed-type.ts';
import type { Feed } from '../feed.ts';
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
  /** The pause between two requests of one poll, in milliseconds. */
  readonly spacingMs?: number;
}

/** After a close, and after their delay, sources still change prices of the session, in milliseconds. */
const settleMs = 30 * 60_000;

/** A feed that polls a source over HTTP. Without tickers, it ends and connects to nothing. */
export function createPolledFeed(config: PolledConfig, deps: FeedDeps, source: PolledSource): Feed {
  const { tickers } = source;
  if (tickers.size === 0) return emptyFeed(config, deps);
  const delayMs = config.delayMinutes * 60_000;
  const batches = createPoll(
    {
      requests: source.requests,
      hours: new TradingHours(deps.universe, {
        markets: marketsOf(deps.universe, tickers),
        graceMs: delayMs + settleMs,
      }),
      pollMs: config.pollSeconds * 1_000,
      closedPollMs: source.closedPollSeconds * 1_000,
      spacingMs: source.spacingMs ?? 0,
      delayMs,
    },
    { ...deps, fetch: createFetch({ clock: deps.clock, limits: deps.fetchLimits }) },
  );
  return { ...sourceOf(config), batches };
}
