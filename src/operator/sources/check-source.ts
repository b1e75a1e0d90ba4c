import type { Universe } from '../../domain/instruments/universe.ts';
import type { ConfiguredFeed } from '../../feeds/contract/feed-config.ts';
import type { FeedDeps } from '../../feeds/contract/feed-type.ts';
import { createFeed } from '../../node/site/open-feeds.ts';
import { judgeSource, type Ended } from './judge-source.ts';
import type { SourceCheck } from './source-check.ts';
import { SourceRecord } from './exchange-record.ts';

/** How long a check may take. */
export interface CheckLimits {
  /** How long an open WebSocket is given to send a row of each instrument, in milliseconds. */
  readonly waitMs: number;
  /** The whole check of one source, in milliseconds. */
  readonly timeoutMs: number;
}

/** What the check of one source needs. */
export interface SourceCheckDeps extends CheckLimits {
  readonly feedDeps: FeedDeps;
  readonly universe: Universe;
  readonly signal: AbortSignal;
  readonly keepsBodies: boolean;
  readonly onProgress: () => void;
}

/** The result of a check, with all that was observed. */
export interface CheckedSource {
  readonly feed: ConfiguredFeed;
  readonly check: SourceCheck;
  readonly record: SourceRecord;
}

/**
 * Polls a source once, or connects to it once, as the service does: with the requests, the pauses and the
 * mapping of its feed. Nothing is stored.
 */
export async function checkSource(
  feed: ConfiguredFeed,
  deps: SourceCheckDeps,
): Promise<CheckedSource> {
  const { feedDeps, signal, keepsBodies, waitMs, timeoutMs, onProgress } = deps;
  const { clock, secrets } = feedDeps;
  const done = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let isLate = false;
  const stop = (): void => done.abort();
  const late = (): void => {
    isLate = true;
    done.abort();
  };
  const record = new SourceRecord({
    clock,
    keepsBodies,
    events: {
      onPolled: stop,
      onOpen: () => timers.push(setTimeout(stop, waitMs)),
      onServed: stop,
      onProgress,
    },
  });
  timers.push(setTimeout(late, timeoutMs));
  const startedAt = clock.now();
  const running = AbortSignal.any([signal, done.signal]);
  const fault = await runFeed(feed, { ...feedDeps, network: { observer: record } }, running);
  for (const timer of timers) clearTimeout(timer);
  const ended = endOf({ isInterrupted: signal.aborted && !done.signal.aborted, isLate });
  const { universe } = deps;
  const limits = { waitMs, timeoutMs };
  const observed = { feed, record, fault, ended, startedAt, universe, secrets, ...limits };
  return { feed, record, check: judgeSource(observed) };
}

function endOf({
  isInterrupted,
  isLate,
}: {
  readonly isInterrupted: boolean;
  readonly isLate: boolean;
}): Ended | undefined {
  if (isInterrupted) return 'interrupted';
  return isLate ? 'timed-out' : undefined;
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
