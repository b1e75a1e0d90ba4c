import { setTimeout as sleep } from 'node:timers/promises';
import type { Universe } from '../domain/universe.ts';
import type { Update } from '../domain/update.ts';
import type { Outcome } from '../engine/engine.ts';
import { FeedFault } from '../feeds/feed.ts';
import type { Feed, Source } from '../feeds/feed.ts';
import { backoffMs } from '../lib/backoff.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { StoreFault } from '../store/store-fault.ts';
import { FeedTallies, FeedWatch, makeCalendars } from './feed-state.ts';
import type { FeedState } from './feed-state.ts';
import type { Ingest } from './ingest.ts';

/** Pauses before a failed feed is started again. */
const reconnection = { firstMs: 1_000, maxMs: 60_000 };

/** Pauses before a batch that could not be stored is submitted again. */
const resubmission = { firstMs: 100, maxMs: 5_000 };

/** Maximum time to wait for feeds to stop, in milliseconds. Feeds that take longer are logged. */
const feedStopMsMax = 5_000;

/** Accepts the updates of one source, and counts them under its name. */
export interface Intake {
  /** As {@link Ingest.submit}. */
  submit(updates: readonly Update[]): Promise<readonly Outcome[]>;
}

/** The running feeds. Disposing it stops every feed and waits for the batches it has submitted. */
export interface FeedSupervisor extends AsyncDisposable {
  /** Returns the intake of a source that pushes its updates. */
  intake(name: string): Intake;
  /** The states of all sources: first those that push, then the feeds, in the given order. */
  states(): readonly FeedState[];
}

/** The dependencies of {@link superviseFeeds}. */
export interface SupervisorDeps {
  readonly feeds: readonly Feed[];
  /** Sources that push their updates. Their state is tracked, but there is nothing to run. */
  readonly pushed?: readonly Source[];
  readonly ingest: Pick<Ingest, 'submit'>;
  readonly universe: Universe;
  /** Counters to continue. By default all counters start at 0. */
  readonly tallies?: FeedTallies | undefined;
  /** The clock that staleness is measured with. A replay uses the time of the recording. */
  readonly clock: Clock;
  /** Returns numbers from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly log: Log;
  /** Waits in real time. Rejects when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Runs feeds independently of one another. A feed is asked for its next batch only when the previous
 * one is durable, so a slow disk slows the feeds down and no backlog builds up. A feed that fails is
 * started again after a pause that grows with each failure in a row. One batch resets the pause. A
 * feed that ends is not started again.
 *
 * A batch that cannot be stored is not a failure of its feed. It is submitted again until it is stored.
 * The updates that were stored before are then unchanged.
 */
export function superviseFeeds(deps: SupervisorDeps): FeedSupervisor {
  const calendars = makeCalendars(deps.universe);
  const { tallies = new FeedTallies() } = deps;
  const watches = new Map<string, FeedWatch>();
  for (const source of [...(deps.pushed ?? []), ...deps.feeds]) {
    if (watches.has(source.name)) throw new Error(`two sources are named ${source.name}`);
    watches.set(source.name, new FeedWatch(source, { ...deps, calendars, tallies }));
  }
  const watchOf = (name: string): FeedWatch => {
    const watch = watches.get(name);
    if (watch === undefined) throw new Error(`no source is named ${name}`);
    return watch;
  };

  const pause = deps.pause ?? pauseInRealTime;
  const stopping = new AbortController();
  const runs = deps.feeds.map(async (feed) => {
    const run = new FeedRun(feed, watchOf(feed.name), { ...deps, pause });
    await run.untilStopped(stopping.signal);
    return feed.name;
  });

  return {
    intake: (name) => intakeOf(watchOf(name), deps.ingest),
    states: () => [...watches.values()].map((watch) => watch.state()),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      const stopped = new Set<string>();
      const all = Promise.all(runs.map(async (run) => stopped.add(await run)));
      const giveUp = new AbortController();
      const tooLong = pause(feedStopMsMax, giveUp.signal).catch(() => undefined);
      await Promise.race([all, tooLong]);
      giveUp.abort();
      const running = deps.feeds.filter(({ name }) => !stopped.has(name)).map(({ name }) => name);
      if (running.length > 0) deps.log.warn({ feeds: running }, 'feeds did not stop in time');
    },
  };
}

function pauseInRealTime(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}

function intakeOf(watch: FeedWatch, ingest: Pick<Ingest, 'submit'>): Intake {
  return {
    async submit(updates) {
      watch.heard(updates);
      const outcomes = await ingest.submit(updates);
      watch.count(outcomes);
      return outcomes;
    },
  };
}

/** Runs one feed from start to stop, and restarts it after failures. */
class FeedRun {
  readonly #feed: Feed;
  readonly #watch: FeedWatch;
  readonly #intake: Intake;
  readonly #random: () => number;
  readonly #log: Log;
  readonly #pause: (ms: number, signal: AbortSignal) => Promise<void>;
  #failuresInARow = 0;

  constructor(
    feed: Feed,
    watch: FeedWatch,
    deps: Pick<Required<SupervisorDeps>, 'ingest' | 'random' | 'log' | 'pause'>,
  ) {
    this.#feed = feed;
    this.#watch = watch;
    this.#intake = intakeOf(watch, deps.ingest);
    this.#random = deps.random;
    this.#log = deps.log;
    this.#pause = deps.pause;
  }

  async untilStopped(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#watch.phase = 'connecting';
      try {
        await this.#connection(signal);
        this.#watch.phase = 'ended';
        if (!signal.aborted) this.#log.info({ feed: this.#feed.name }, 'feed ended');
        return;
      } catch (fault) {
        if (signal.aborted) break;
        await this.#afterFailure(fault, signal);
      }
    }
    this.#watch.phase = 'ended';
  }

  async #connection(signal: AbortSignal): Promise<void> {
    for await (const batch of this.#feed.batches(signal)) {
      await this.#handOver(batch, signal);
      this.#failuresInARow = 0;
      if (signal.aborted) return;
    }
  }

  async #handOver(batch: readonly Update[], signal: AbortSignal): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        await this.#intake.submit(batch);
        return;
      } catch (fault) {
        if (!(fault instanceof StoreFault) || signal.aborted) throw fault;
        await this.#pause(backoffMs(failures, resubmission, this.#random), signal);
      }
    }
  }

  async #afterFailure(fault: unknown, signal: AbortSignal): Promise<void> {
    const code = fault instanceof FeedFault ? fault.code : 'unexpected';
    this.#failuresInARow += 1;
    this.#watch.failed(code);
    const pauseMs = Math.round(backoffMs(this.#failuresInARow, reconnection, this.#random));
    const details = { feed: this.#feed.name, err: fault, code, pauseMs };
    if (code === 'unexpected') this.#log.error(details, 'feed failed unexpectedly, restarting');
    else this.#log.warn(details, 'feed failed, restarting');
    // The pause rejects when the supervisor stops. That is not a failure.
    await this.#pause(pauseMs, signal).catch(() => undefined);
  }
}
