import type { Universe } from '../../domain/instruments/universe.ts';
import type { ConfiguredFeed } from '../../feeds/contract/feed-config.ts';
import type { FeedDeps } from '../../feeds/contract/feed-type.ts';
import { systemClock, type Clock } from '../../lib/time/clock.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import type { ConfigFile } from '../../config/settings/read-config.ts';
import { flagName, type Settings } from '../../config/settings/settings.ts';
import { networkTypes } from '../../config/feeds/feed-types.ts';
import { feedDepsOf } from '../../node/site/open-feeds.ts';
import { presetUniverse } from '../../config/feeds/presets.ts';
import { readFeeds, type ConfiguredFeeds } from '../../config/feeds/read-feeds.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';
import { checkSource, type CheckedSource, type CheckLimits } from './check-source.ts';
import { skippedSource } from './judge-source.ts';
import { saveBodies, requireEmpty } from './save-bodies.ts';
import { configuredQuery } from './shown-url.ts';
import type { SourceCheck } from './source-check.ts';

export type { SourceCheck } from './source-check.ts';

/** The shortest value of a query that is removed from bodies. A shorter one would match ordinary words. */
const queryCharsMin = 6;

/** The arguments of a check. */
export interface SourcesCheckRequest extends CheckLimits {
  readonly settings: Pick<Settings, 'universe' | 'market'>;
  readonly file: ConfigFile | undefined;
  /** The names of feeds. Empty: all. */
  readonly names: readonly string[];
  /** Where the bodies are saved. Undefined: nowhere. */
  readonly save: string | undefined;
  readonly signal: AbortSignal;
  /** Called whenever something was received, with the sources that are still being checked. */
  readonly onProgress?: (waitingFor: readonly string[]) => void;
  readonly clock?: Clock;
  /** Replace the limits of network connections; for tests. */
  readonly feedLimits?: Pick<FeedDeps, 'fetchLimits' | 'socketLimits'>;
}

/**
 * Connects once to each configured source, all at the same time, and reports what came. It opens no store,
 * so a service may run beside it.
 *
 * @throws {UsageFault} when a name is no configured feed, there is no feed, or the directory to save to is
 *   not empty.
 * @throws {OperatorFault} when the universe has faults, or the bodies cannot be saved.
 */
export async function checkSources(request: SourcesCheckRequest): Promise<readonly SourceCheck[]> {
  const { settings, file, save } = request;
  const universe = presetUniverse(await requireUniverse(settings.universe), settings);
  const configured = readFeeds({ settings, file }, universe);
  const feeds = selectFeeds(configured, request.names);
  if (save !== undefined) requireEmpty(save);
  const { checks, checked, secrets } = await checkAll(feeds, configured, universe, request);
  if (save !== undefined) saveBodies(save, checked, { secrets, at: systemClock.now() });
  return checks;
}

async function checkAll(
  feeds: readonly ConfiguredFeed[],
  { directory }: ConfiguredFeeds,
  universe: Universe,
  request: SourcesCheckRequest,
) {
  const { clock = systemClock, signal, save, waitMs, timeoutMs, onProgress } = request;
  const built = feedDepsOf(directory, { universe, clock, log: silentLog });
  const feedDeps = { ...built, ...request.feedLimits };
  const { secrets } = feedDeps;
  for (const { config } of feeds) {
    for (const [name, value] of configuredQuery(config)) {
      // Of a parameter without a value, the name may be the key.
      const secret = value === '' ? name : value;
      if (secret.length >= queryCharsMin) secrets.protect(secret);
    }
  }
  const waitingFor = new Set(feeds.map(({ config }) => config.name));
  const all = await Promise.all(
    feeds.map(async (feed): Promise<Pick<CheckedSource, 'check'> & Partial<CheckedSource>> => {
      const { config, type } = feed;
      if (!networkTypes.includes(type)) {
        const says = `a feed of the type ${config.type} connects to no source`;
        return { check: skippedSource(feed, says) };
      }
      const one = await checkSource(feed, {
        feedDeps,
        universe,
        signal,
        keepsBodies: save !== undefined,
        waitMs,
        timeoutMs,
        onProgress: () => onProgress?.([...waitingFor]),
      });
      waitingFor.delete(config.name);
      return one;
    }),
  );
  const checked = all.filter((one): one is CheckedSource => one.record !== undefined);
  return { checks: all.map(({ check }) => check), checked, secrets };
}

function selectFeeds(
  { feeds }: ConfiguredFeeds,
  names: readonly string[],
): readonly ConfiguredFeed[] {
  if (feeds.length === 0) {
    throw new UsageFault(
      `No feed is configured. Choose a preset with ${flagName('market')} argentina, or configure a feed (docs/sources.md).`,
    );
  }
  const known = feeds.map(({ config }) => config.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageFault(
      `No configured feed is called ${unknown.join(' or ')}. Valid: ${known.join(', ')}.`,
    );
  }
  return names.length === 0 ? feeds : feeds.filter(({ config }) => names.includes(config.name));
}
