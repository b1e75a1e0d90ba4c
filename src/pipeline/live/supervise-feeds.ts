import type { Instrument } from '../../domain/instruments/instrument.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { ReportSource } from '../../engine/doubted-updates.ts';
import {
  FeedFault,
  type Feed,
  type FeedBatch,
  type Rejected,
  type Source,
} from '../../feeds/contract/feed.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import { pauseInRealTime, type Pause } from '../../lib/time/pause.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { isPowerOfTwo } from '../../lib/numbers/is-power-of-two.ts';
import type { Log } from '../../lib/reports/log.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { SourceArbiter, type ReliableSince } from './arbitrate-sources.ts';
import { faultSummaryOf } from './fault-summary.ts';
import { FeedTallies, FeedWatch, type FeedState, type IntakeOutcome } from './feed-state.ts';
import type { Ingest } from './ingest.ts';
import { RejectionLog } from './log-rejections.ts';
import { retryPauseMs } from '../retry-pause.ts';
import { outageOf } from './source-outage.ts';

/** Pauses before a batch that could not be stored is submitted again. */
const resubmission = { firstMs: 100, maxMs: 5_000 };

/** Maximum time to wait for feeds to stop, in milliseconds. Feeds that take longer are logged. */
const feedStopMsMax = 5_000;

/** Accepts the updates of one source, and counts them under its name. */
export interface Intake {
  /** As {@link Ingest.submit}. Updates for which another source is used are superseded. */
  submit(
    updates: readonly Update[],
    bars?: readonly TickerBar[],
    options?: Parameters<Ingest['submit']>[3],
  ): Promise<readonly IntakeOutcome[]>;
}

/** The running feeds. Disposing it stops every feed and waits for the batches it has submitted. */
export interface FeedSupervisor extends AsyncDisposable {
  /** Returns the intake of a source that pushes its updates. */
  intake(name: string): Intake;
  /** The states of all sources: first those that push, then the feeds, in the given order. */
  states(): readonly FeedState[];
  /** What clients see of the sources. */
  sources(): SourcesState;
}

/** The dependencies of {@link superviseFeeds}. */
export interface SupervisorDeps {
  readonly feeds: readonly Feed[];
  /** Sources that push their updates. Their state is tracked, but there is nothing to run. */
  readonly pushed?: readonly Source[];
  /**
   * The names of all sources, that with the highest priority first. By default the feeds come first,
   * then the sources that push.
   */
  readonly order?: readonly string[];
  readonly ingest: Pick<Ingest, 'submit'>;
  readonly universe: Universe;
  /** Counters to continue. By default all counters start at 0. */
  readonly tallies?: FeedTallies | undefined;
  /** The clock that staleness is measured with. A replay uses the time of the recording. */
  readonly clock: Clock;
  /** Returns numbers from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly log: Log;
  /** Gives the latest quote of an instrument. By default there is none. */
  readonly latest?:
    | ((instrument: Instrument) => Pick<Quote, 'source' | 'asOf'> | undefined)
    | undefined;
  /** Removes keys from texts that are logged. */
  readonly secrets?: { redact(text: string): string };
  /** Pauses in real time; rejects when the signal aborts. */
  readonly pause?: Pause;
}

/**
 * Runs feeds independently of one another. A feed is asked for its next batch only when the previous
 * one is durable, so a slow disk slows the feeds down and no backlog builds up. A feed that fails is
 * started again after a pause that depends on the fault and grows with each failure in a row. One
 * batch resets the pause. A feed that ends is not started again.
 *
 * A batch that cannot be stored is not a failure of its feed. It is submitted again until it is stored.
 * The updates that were stored before are then unchanged.
 */
export function superviseFeeds(deps: SupervisorDeps): FeedSupervisor {
  const { feeds, pushed = [], universe, clock, log, secrets, tallies = new FeedTallies() } = deps;
  const { pause = pauseInRealTime } = deps;
  const calendars = new MarketCalendars(universe);
  const order = deps.order ?? [...feeds, ...pushed].map(({ name }) => name);
  const arbiter = new SourceArbiter({ order, universe, calendars });
  const redact = (text: string): string => secrets?.redact(text) ?? text;
  const intakes = new Map<string, SourceIntake>();
  const intakeOf = (name: string): SourceIntake => {
    const intake = intakes.get(name);
    if (intake === undefined) throw new Error(`no source is named ${name}`);
    return intake;
  };
  const reliableSince = (name: string): number => intakeOf(name).watch.reliableSince();
  for (const source of [...pushed, ...feeds]) {
    const { name } = source;
    if (intakes.has(name)) throw new Error(`two sources are named ${name}`);
    const isPushed = pushed.includes(source);
    const watch = new FeedWatch(source, { ...deps, calendars, tallies, isPushed });
    const rejections = new RejectionLog({ feed: name, clock, log, redact });
    intakes.set(name, createIntake(watch, { ...deps, arbiter, reliableSince, rejections }));
  }
  const sourceInUse = (instrument: Instrument): string | undefined => {
    const source = deps.latest?.(instrument)?.source;
    return source?.via ?? source?.name;
  };
  for (const instrument of universe.instruments) {
    const name = sourceInUse(instrument);
    if (name === undefined) continue;
    intakes.get(name)?.watch.recall(instrument, deps.latest?.(instrument)?.asOf);
  }

  const stopping = new AbortController();
  const runs = feeds.map(async (feed) => {
    const parts = { ...deps, intake: intakeOf(feed.name), pause, redact };
    await runFeed(feed, parts, stopping.signal);
    return feed.name;
  });

  return {
    intake: intakeOf,
    states() {
      const inUse = new Map<string, number>();
      for (const instrument of universe.instruments) {
        const name = sourceInUse(instrument);
        if (name !== undefined) inUse.set(name, (inUse.get(name) ?? 0) + 1);
      }
      return [...intakes].map(([name, { watch }]) => ({
        ...watch.state(),
        instruments: inUse.get(name) ?? 0,
      }));
    },
    sources: () => ({
      outage: outageOf(Array.from(intakes.values(), ({ watch }) => watch.state()))?.reason,
      stale: [...intakes.values()].flatMap(({ watch }) => watch.stale()),
    }),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      const stopped = new Set<string>();
      const all = Promise.all(runs.map(async (run) => stopped.add(await run)));
      const giveUp = new AbortController();
      const tooLong = pause(feedStopMsMax, giveUp.signal).catch(() => undefined);
      await Promise.race([all, tooLong]);
      giveUp.abort();
      const running = feeds.filter(({ name }) => !stopped.has(name)).map(({ name }) => name);
      if (running.length > 0) log.warn({ feeds: running }, 'feeds did not stop in time');
    },
  };
}

/** What the intakes of all sources share, and the log of one of them. */
interface IntakeDeps {
  readonly ingest: Pick<Ingest, 'submit'>;
  readonly arbiter: SourceArbiter;
  readonly clock: Clock;
  readonly reliableSince: ReliableSince;
  readonly rejections: RejectionLog;
}

/** An intake, with the state of its source. */
interface SourceIntake extends Intake {
  readonly watch: FeedWatch;
  /** Counts and logs the rejected rows of a batch. */
  reject(rejected: readonly Rejected[]): void;
}

/** Creates the intake of one source: it passes on the updates that are used, and counts and logs the others. */
function createIntake(
  watch: FeedWatch,
  { arbiter, clock, ingest, rejections, reliableSince }: IntakeDeps,
): SourceIntake {
  const { name, delayMinutes, isPolledSlowly } = watch.source;
  const source: ReportSource = {
    name,
    delayMinutes,
    ...(isPolledSlowly === true && { isPolledSlowly }),
  };
  return {
    watch,
    async submit(updates, bars, options) {
      watch.heard(updates);
      const admitted = arbiter.admit(name, updates, { now: clock.now(), reliableSince });
      const used = admitted.filter((update) => update !== undefined);
      const outcomes = await ingest.submit(used, source, bars, options);
      arbiter.record(name, used, { outcomes, now: clock.now() });
      rejections.addRefused(used, outcomes);
      // Ingest returns an outcome for each update.
      const rest = outcomes.values();
      const all: readonly IntakeOutcome[] =
        used.length === updates.length
          ? outcomes
          : admitted.map((update) =>
              update === undefined ? 'superseded' : (rest.next().value as IntakeOutcome),
            );
      watch.count(all);
      return all;
    },
    reject(rejected) {
      watch.countRejected(rejected);
      rejections.add(rejected);
    },
  };
}

/** What a run of a feed depends on. */
interface RunDeps extends Pick<SupervisorDeps, 'random' | 'log' | 'clock'> {
  readonly intake: SourceIntake;
  readonly pause: Pause;
  readonly redact: (text: string) => string;
}

/** Runs one feed from start to stop, and restarts it after failures. */
async function runFeed(
  feed: Feed,
  { clock, intake, log, pause, random, redact }: RunDeps,
  signal: AbortSignal,
): Promise<void> {
  const { name } = feed;
  const { watch } = intake;
  let failedRequests = 0;
  let failuresInARow = 0;
  let outageBefore: string | undefined;

  /** Counts and logs the rejected rows of a batch. */
  const note = ({ rejected, failed = [], stale }: FeedBatch): void => {
    intake.reject(rejected);
    watch.countFailed(failed);
    watch.followed(stale);
    for (const { code, message } of failed) {
      failedRequests += 1;
      if (!isPowerOfTwo(failedRequests)) continue;
      const details = { code, fault: redact(message), failures: failedRequests };
      log.warn({ feed: name, ...details }, 'request of a feed failed');
    }
  };

  /** Notes that the source gives no prices, once for each reason, while the feed recovers by itself. */
  const noteOutage = (outage: FeedFault): void => {
    const fault = faultSummaryOf(outage, { redact, retryAt: clock.now() });
    // A batch of the source before it recovers must not make it look recovered.
    watch.phase = 'waiting';
    if (outageBefore === fault.message) return;
    outageBefore = fault.message;
    failuresInARow += 1;
    watch.failed(fault);
    const { code, message } = fault;
    log.warn({ feed: name, code, fault: message }, 'feed gives no prices');
  };

  const handOver = async ({ updates, bars }: FeedBatch): Promise<void> => {
    for (let failures = 1; ; failures += 1) {
      try {
        await intake.submit(updates, bars);
        return;
      } catch (fault) {
        if (!(fault instanceof StoreFault) || signal.aborted) throw fault;
        await pause(backoffMs(failures, resubmission, random), signal);
      }
    }
  };

  const readBatches = async (): Promise<void> => {
    for await (const batch of feed.batches(signal)) {
      note(batch);
      const { updates, bars = [], outage } = batch;
      const isEmpty = updates.length === 0 && bars.length === 0;
      if (outage === undefined || !isEmpty) await handOver(batch);
      if (outage !== undefined) {
        noteOutage(outage);
        continue;
      }
      outageBefore = undefined;
      if (failuresInARow > 0) log.info({ feed: name }, 'feed recovered');
      failuresInARow = 0;
      if (signal.aborted) return;
    }
  };

  const afterFailure = async (fault: unknown): Promise<void> => {
    const known = fault instanceof FeedFault ? fault : undefined;
    failuresInARow += 1;
    const pauseMs = retryPauseMs(known, failuresInARow, random);
    const summary = faultSummaryOf(fault, { redact, retryAt: clock.now() + pauseMs });
    watch.failed(summary);
    const details = { feed: name, code: summary.code, failures: failuresInARow, pauseMs };
    if (known === undefined) {
      log.error({ ...details, err: fault }, 'feed failed unexpectedly, restarting');
    } else {
      const level = isPowerOfTwo(failuresInARow) ? 'warn' : 'debug';
      log[level]({ ...details, fault: summary.message }, 'feed failed, restarting');
    }
    // The end of the service cuts the pause short, which is no failure.
    await pause(pauseMs, signal).catch(() => undefined);
  };

  while (!signal.aborted) {
    watch.phase = 'connecting';
    try {
      await readBatches();
      if (!signal.aborted) log.info({ feed: name }, 'feed ended');
      break;
    } catch (fault) {
      if (!signal.aborted) await afterFailure(fault);
    }
  }
  watch.phase = 'ended';
}
