import type { Universe } from '../../domain/instruments/universe.ts';
import type { ConfiguredFeed } from '../../feeds/contract/feed-config.ts';
import type { FeedDeps } from '../../feeds/contract/feed-type.ts';
import { systemClock, type Clock } from '../../lib/time/clock.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import type { ConfigFile } from '../../config/settings/read-config.ts';
import { flagName, type Settings } from '../../config/settings/settings.ts';
import { networkTypes } from '../../config/feeds/feed-types.ts';
import { createFeed, feedDepsOf } from '../../node/market/open-feeds.ts';
import { presetUniverse } from '../../config/feeds/presets.ts';
import { readFeeds, type ConfiguredFeeds } from '../../config/feeds/read-feeds.ts';
import { requireUniverse } from '../../node/market/require-universe.ts';
import { judgeSource, skippedSource, type Ended, type SourceCheck } from './judge-source.ts';
import { requireEmpty, saveBodies, type CheckedSource } from './save-bodies.ts';
import { configuredQuery } from './shown-url.ts';
import { SourceRecord } from './exchange-record.ts';

/** The shortest value of a query that is removed from bodies. A shorter one would match ordinary words. */
const queryCharsMin = 6;

/** The arguments of a check. */
export interface SourcesCheckRequest {
  readonly settings: Pick<Settings, 'universe' | 'market'>;
  readonly file: ConfigFile | undefined;
  /** The names of feeds. Empty: all. */
  readonly names: readonly string[];
  /** Where the bodies are saved. Undefined: nowhere. */
  readonly save: string | undefined;
  /** How long an open WebSocket is given to send a row of each instrument, in milliseconds. */
  readonly waitMs: number;
  /** The whole check of one source, in milliseconds. */
  readonly timeoutMs: number;
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
  const { settings, file, save, clock = systemClock, onProgress } = request;
  const universe = presetUniverse(await requireUniverse(settings.universe), settings);
  const configured = readFeeds({ settings, file }, universe);
  const feeds = selectFeeds(configured, request.names);
  if (save !== undefined) requireEmpty(save);
  const built = feedDepsOf(configured.directory, { universe, clock, log: silentLog });
  const feedDeps = { ...built, ...request.feedLimits };
  const { secrets } = feedDeps;
  for (const [name, value] of feeds.flatMap(({ config }) => configuredQuery(config))) {
    // Of a parameter without a value, the name may be the key.
    const secret = value === '' ? name : value;
    if (secret.length >= queryCharsMin) secrets.protect(secret);
  }
  const waitingFor = new Set(feeds.map(({ config }) => config.name));
  const checked: CheckedSource[] = [];
  const checks = await Promise.all(
    feeds.map(async (feed): Promise<SourceCheck> => {
      const { config, type } = feed;
      if (!networkTypes.includes(type)) {
        return skippedSource(feed, `a feed of the type ${config.type} connects to no source`);
      }
      const show = (): void => onProgress?.([...waitingFor]);
      const one = await checkSource(feed, universe, { ...request, feedDeps, onProgress: show });
      waitingFor.delete(config.name);
      checked.push(one);
      return one.check;
    }),
  );
  const inOrder = checked.toSorted((a, b) => feeds.indexOf(a.feed) - feeds.indexOf(b.feed));
  if (save !== undefined) saveBodies(save, inOrder, { secrets, at: systemClock.now() });
  return checks;
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

/**
 * Polls a source once, or connects to it once, as the service does: with the requests, the pauses and the
 * mapping of its feed. Nothing is stored.
 */
async function checkSource(
  feed: ConfiguredFeed,
  universe: Universe,
  {
    feedDeps,
    save,
    signal,
    waitMs,
    timeoutMs,
    onProgress,
  }: Pick<SourcesCheckRequest, 'save' | 'signal' | 'waitMs' | 'timeoutMs'> & {
    readonly feedDeps: FeedDeps;
    readonly onProgress: () => void;
  },
): Promise<CheckedSource> {
  const { clock, secrets } = feedDeps;
  const done = new AbortController();
  const stop = (): void => done.abort();
  const timers: NodeJS.Timeout[] = [];
  let ended: Ended | undefined;
  const record = new SourceRecord({
    clock,
    keepsBodies: save !== undefined,
    onEvent: (event) => {
      if (event === 'progress') onProgress();
      else if (event === 'open') timers.push(setTimeout(stop, waitMs));
      else stop();
    },
  });
  timers.push(
    setTimeout(() => {
      ended = 'timed-out';
      stop();
    }, timeoutMs),
  );
  const startedAt = clock.now();
  const running = AbortSignal.any([signal, done.signal]);
  const fault = await runFeed(feed, { ...feedDeps, network: { observer: record } }, running);
  for (const timer of timers) clearTimeout(timer);
  if (signal.aborted && !done.signal.aborted) ended = 'interrupted';
  const limits = { waitMs, timeoutMs };
  const observed = { feed, record, fault, ended, startedAt, universe, secrets, ...limits };
  return { feed, record, check: judgeSource(observed) };
}

/** Takes the batches of a feed until it ends. @returns the fault that ended it. */
async function runFeed(
  feed: ConfiguredFeed,
  deps: FeedDeps,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    for await (const _ of createFeed(feed, deps)?.batches(signal) ?? []) {
      if (signal.aborted) break;
    }
    return undefined;
  } catch (fault) {
    return signal.aborted ? undefined : fault;
  }
}
