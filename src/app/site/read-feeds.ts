import { dirname } from 'node:path';
import type { Universe } from '../../domain/universe.ts';
import { readFeedConfig } from '../../feeds/feed-config.ts';
import type { ConfiguredFeed, FeedConfigFault } from '../../feeds/feed-config.ts';
import { UsageFault } from '../operator-fault.ts';
import type { ConfigFile } from '../settings/read-config.ts';
import { feedTypes } from './feed-types.ts';

/** The feeds that an operator configured. */
export interface ConfiguredFeeds {
  readonly feeds: readonly ConfiguredFeed[];
  /** Where relative paths in them start. */
  readonly directory: string;
}

/**
 * Reads the feeds of the configuration file. Without a file there are none.
 *
 * @throws UsageFault that lists every fault in them.
 */
export function readFeeds(file: ConfigFile | undefined, universe: Universe): ConfiguredFeeds {
  if (file === undefined) return { feeds: [], directory: '.' };
  const { placeOf } = file;
  const read = readFeedConfig(file.feeds, {
    types: feedTypes,
    universe,
    ...(placeOf === undefined ? {} : { placeOf }),
  });
  if (!read.ok) {
    const faults = read.faults.map((fault) => `  ${faultText(file.name, fault)}`);
    throw new UsageFault(`The feeds in ${file.name} have faults:\n${faults.join('\n')}`);
  }
  return { feeds: read.feeds, directory: dirname(file.name) };
}

/** One fault as compilers write them: `pizarra.yaml:3:5: feeds[0].speed must be …`. */
function faultText(name: string, { path, place, message }: FeedConfigFault): string {
  const text = `${path} ${message}`;
  return place === undefined ? text : `${name}:${place.line}:${place.column}: ${text}`;
}
