import { dirname } from 'node:path';
import type { Universe } from '../../domain/instruments/universe.ts';
import {
  readFeedConfig,
  type ConfiguredFeed,
  type FeedConfigFault,
} from '../../feeds/contract/feed-config.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import type { ConfigFile } from '../settings/read-config.ts';
import type { Settings } from '../settings/settings.ts';
import { feedTypes } from './feed-types.ts';
import { presets } from './presets.ts';

/** The feeds that an operator configured. */
export interface ConfiguredFeeds {
  readonly feeds: readonly ConfiguredFeed[];
  /** Where relative paths in them start. */
  readonly directory: string;
}

/**
 * Reads the feeds of the configuration file and of the preset that the setting `market` names. A feed of
 * the file that has the name of a feed of the preset replaces it, in its place. The other feeds of the
 * file come first.
 *
 * @throws UsageFault that lists every fault in them.
 */
export function readFeeds(
  {
    settings,
    file,
  }: { readonly settings: Pick<Settings, 'market'>; readonly file: ConfigFile | undefined },
  universe: Universe,
): ConfiguredFeeds {
  const preset = presets[settings.market].sources.map(({ feed }) => feed);
  const placeOf = file?.placeOf;
  // The feeds of the file come first here, so that a fault has the index of the file.
  const directory = file === undefined ? '.' : dirname(file.name);
  const read = readFeedConfig(withPreset(file?.feeds ?? [], preset), {
    types: feedTypes,
    universe,
    directory,
    ...(placeOf === undefined ? {} : { placeOf }),
  });
  if (!read.ok) {
    const name = file?.name ?? 'the preset';
    const faults = read.faults.map((fault) => `  ${faultText(name, fault)}`);
    throw new UsageFault(`The feeds in ${name} have faults:\n${faults.join('\n')}`);
  }
  const names = preset.map(({ name }) => name);
  const [own, ofPreset] = [
    read.feeds.filter(({ config }) => !names.includes(config.name)),
    read.feeds.filter(({ config }) => names.includes(config.name)),
  ];
  const placed = ofPreset.toSorted(
    (a, b) => names.indexOf(a.config.name) - names.indexOf(b.config.name),
  );
  return {
    feeds: [...own, ...placed],
    directory,
  };
}

/** The feeds of the file, then those of the preset that it does not replace. */
function withPreset(own: unknown, preset: readonly { readonly name: string }[]): unknown {
  if (!Array.isArray(own)) return own;
  const names = new Set(own.map((feed: { readonly name?: unknown } | null) => feed?.name));
  return [...(own as readonly unknown[]), ...preset.filter(({ name }) => !names.has(name))];
}

/** One fault as compilers write them: `pizarra.yaml:3:5: feeds[0].speed must be …`. */
function faultText(name: string, { path, place, message }: FeedConfigFault): string {
  const text = `${path} ${message}`;
  return place === undefined ? text : `${name}:${place.line}:${place.column}: ${text}`;
}
