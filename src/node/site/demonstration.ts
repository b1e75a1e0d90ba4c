import type { ConfiguredFeeds } from '../../config/feeds/read-feeds.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { FeedType } from '../../feeds/contract/feed-type.ts';
import { simulatedType } from '../../feeds/simulated/index.ts';
import type { SimulatedConfig } from '../../feeds/simulated/simulated-config.ts';
import { createSimulatedFeed } from '../../feeds/simulated/simulated-feed.ts';
import { universeFor } from './open-feeds.ts';

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

/** The parts of a site as a demonstration has them: its own feed, and markets that are open all day. */
export function demonstrated<Parts extends { readonly universe: Universe }>(
  parts: Parts,
): Parts & { readonly feeds: ConfiguredFeeds } {
  const feeds = { feeds: [{ type: demonstrationType, config: demonstration }], directory: '.' };
  return { ...parts, feeds, universe: universeFor(feeds, parts.universe) };
}
