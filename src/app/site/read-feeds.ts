import { dirname } from 'node:path';
import type { Universe } from '../../domain/universe.ts';
import { readFeedConfig } from '../../feeds/feed-config.ts';
import type { FeedConfig } from '../../feeds/feed-config.ts';
import { UsageFault } from '../operator-fault.ts';
import type { ConfigFile } from '../settings/read-config.ts';

/** The feeds that an operator configured. */
export interface ConfiguredFeeds {
  readonly feeds: readonly FeedConfig[];
  /** The directory of the configuration file. Relative paths start here. */
  readonly directory: string;
}

/**
 * Reads the feeds of the configuration file. Without a file there are none.
 *
 * @throws UsageFault that lists every fault in them.
 */
export function readFeeds(file: ConfigFile | undefined, universe: Universe): ConfiguredFeeds {
  if (file === undefined) return { feeds: [], directory: '.' };
  const read = readFeedConfig(file.feeds, new Set(universe.markets.keys()));
  if (!read.ok) {
    const faults = read.faults.map(({ path, message }) => `  ${path} ${message}`);
    throw new UsageFault(`The feeds in ${file.name} have faults:\n${faults.join('\n')}`);
  }
  return { feeds: read.feeds, directory: dirname(file.name) };
}
