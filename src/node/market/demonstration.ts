import type { ConfiguredFeeds } from '../../config/feeds/read-feeds.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { FeedType } from '../../feeds/contract/feed-type.ts';
import { simulatedType } from '../../feeds/simulated/index.ts';
import type { SimulatedConfig } from '../../feeds/simulated/simulated-feed.ts';
import { createSimulatedFeed } from '../../feeds/simulated/simulated-feed.ts';
import { universeFor } from './open-feeds.ts';
import { msPerMinute } from '../../domain/quotes/minute-bar.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Ingest } from '../../pipeline/live/ingest.ts';

/**
 * The feed of the demonstration. Its markets are open all day, every day, so prices change at any hour.
 * The fixed seed gives the same prices in every installation, so that two people see the same board.
 */
export const demonstration: SimulatedConfig = {
  type: 'simulated',
  name: 'demonstration',
  staleAfterSeconds: 60,
  seed: 1810,
  updatesPerSecond: 50,
  alwaysOpen: true,
};

/** Its minutes are whole, so that recorded and computed minutes continue each other. */
const demonstrationType: FeedType<SimulatedConfig> = {
  ...simulatedType,
  create: (config, deps) => createSimulatedFeed(config, { ...deps, hasWholeMinutes: true }),
};

/** The parts of a market as a demonstration has them: its own feed, and markets that are open all day. */
export function demonstrated<Parts extends { readonly universe: Universe }>(
  parts: Parts,
): Parts & { readonly feeds: ConfiguredFeeds } {
  const feeds = { feeds: [{ type: demonstrationType, config: demonstration }], directory: '.' };
  return { ...parts, feeds, universe: universeFor(feeds, parts.universe) };
}

/**
 * Passes the updates of a demonstration on, unless minutes are missing before them, because the machine was
 * suspended. Then the market is brought up to now instead, as a start does it. Otherwise these minutes would
 * have no bars, and the sessions that ended meanwhile would have the price at which the machine stopped.
 */
export class MissedMinutes implements Pick<Ingest, 'submit'> {
  readonly #next: Pick<Ingest, 'submit'>;
  readonly #clock: Clock;
  readonly #catchUp: () => Promise<void>;
  readonly #stopping: Promise<void>;
  /** The minute of the latest updates. */
  #minute: number;

  constructor(parts: {
    readonly next: Pick<Ingest, 'submit'>;
    readonly clock: Clock;
    /** The instant up to which the market has all minutes, in epoch milliseconds. */
    readonly completeTo: number;
    /** Brings the market up to now, with a feed of its own. The updates are dropped. */
    readonly catchUp: () => Promise<void>;
    readonly stopping: AbortSignal;
  }) {
    this.#next = parts.next;
    this.#clock = parts.clock;
    this.#catchUp = parts.catchUp;
    this.#minute = minuteOf(parts.completeTo);
    const { promise, resolve } = Promise.withResolvers<void>();
    parts.stopping.addEventListener('abort', () => resolve(), { once: true });
    this.#stopping = promise;
  }

  readonly submit: Ingest['submit'] = async (...batch) => {
    const minute = minuteOf(this.#clock.now());
    // The feed itself ends the minute before.
    const isMissing = minute > this.#minute + 1;
    this.#minute = minute;
    if (!isMissing) return this.#next.submit(...batch);
    await Promise.race([this.#catchUp(), this.#stopping]);
    // The renewed market has a feed of its own, whose first updates are as late.
    return batch[0].map(() => 'unchanged');
  };
}

function minuteOf(epochMs: number): number {
  return Math.floor(epochMs / msPerMinute);
}
