import { systemClock, type Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Node } from '../roles/node.ts';
import { outageOf } from '../../pipeline/live/source-outage.ts';
import type { FeedState } from '../../pipeline/live/feed-state.ts';
import { describeFault, noSource } from '../metrics/readiness.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';

/** How often the clock and the feeds are checked, in milliseconds. */
const watchPauseMs = 1_000;

/** Checks the clock, the feeds and the store periodically. */
export function watchAll({
  node,
  place,
  metrics,
  log,
}: {
  readonly node: Node;
  readonly place: StorePlace;
  readonly metrics: Metrics;
  readonly log: Log;
}): AsyncDisposable {
  const watching = new AsyncDisposableStack();
  watching.use(
    place.damage.onFound((fault) => {
      metrics.commitHealth.damaged();
      log.error({ err: fault }, damageAdvice[place.kind]);
    }),
  );
  const lookAtClock = watchClock(systemClock, (ms) => {
    metrics.clockJumped();
    log.warn({ ms }, 'clock was set, or the process was suspended');
  });
  const { line } = place;
  if (line !== undefined) {
    watching.use(line.exchange());
    const onLine = (text: string): void => log.info({ line: text }, 'database is on a newer line');
    watching.use(line.subscribe(onLine));
  }
  const lookAtDatabaseClock = watchDatabaseClock(place, log);
  const [lookAtStale, lookAtOutages] = [watchStaleFeeds(log), watchOutages(log)];
  const look = async (): Promise<void> => {
    lookAtClock();
    lookAtDatabaseClock();
    const states = node.measured.feeds();
    lookAtStale(states);
    lookAtOutages(states);
  };
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not check the clock and the feeds');
  watching.use(repeat(look, { pauseMs: watchPauseMs, onFault }));
  watching.use(
    watchStore({
      isMine: () => node.measured.claimToken !== 0,
      check: (signal) => place.check(signal),
      clock: systemClock,
      onDamaged: (fault) => place.damage.found(fault),
      log,
    }),
  );
  return watching;
}

/** Minimum size of a jump, in milliseconds. Time synchronisation makes smaller corrections. */
const jumpMsMin = 2_000;

/**
 * Detects that the wall clock was set, by comparison with the monotonic clock. The suspension of the
 * machine has the same effect.
 *
 * @param onJump receives the size of the jump, in milliseconds. It is negative when the wall clock went back.
 * @returns compares the clocks. The caller repeats it.
 */
export function watchClock(clock: Clock, onJump: (ms: number) => void): () => void {
  const offset = (): number => clock.now() - clock.monotonic();
  let last = offset();
  return () => {
    const jumpMs = offset() - last;
    last += jumpMs;
    if (Math.abs(jumpMs) >= jumpMsMin) onJump(Math.round(jumpMs));
  };
}

/**
 * Logs when the clock of this machine begins to differ too much from that of the database, and when it stops.
 *
 * @returns compares the state with the last one. The caller repeats it.
 */
export function watchDatabaseClock(place: Pick<StorePlace, 'clock'>, log: Log): () => void {
  let wasOff = false;
  return () => {
    const { isOff = false, differenceMs = 0 } = place.clock ?? {};
    if (isOff === wasOff) return;
    wasOff = isOff;
    const details = { aheadMs: Math.round(differenceMs) };
    if (isOff) {
      log.error(
        details,
        'clock differs from that of the database, this node does not write: synchronise both',
      );
    } else log.info(details, 'clock agrees with that of the database again');
  };
}

/** Logs once when no source gives prices, with the reason of each, and once when one does again. */
function watchOutages(log: Log): (states: readonly FeedState[]) => void {
  let isOut = false;
  return (states) => {
    const outage = outageOf(states);
    if ((outage !== undefined) === isOut) return;
    isOut = outage !== undefined;
    if (outage === undefined) return log.info({}, 'a source responds again');
    const reasons = Array.from(outage.faults, ([name, fault]) => [name, describeFault(fault)]);
    log.warn({ sources: Object.fromEntries(reasons) }, noSource);
  };
}

/** Logs once when a feed becomes stale, and once when it sends data again. */
export function watchStaleFeeds(log: Log): (states: readonly FeedState[]) => void {
  let known: ReadonlySet<string> = new Set();
  return (states) => {
    const stale = states.filter(({ isStale }) => isStale);
    for (const { name, lastBatchAt, lastFault } of stale) {
      if (known.has(name)) continue;
      const since = lastBatchAt === undefined ? undefined : new Date(lastBatchAt).toISOString();
      log.warn({ feed: name, since, lastFault }, 'feed stale');
    }
    const names = new Set(stale.map(({ name }) => name));
    for (const name of known.difference(names)) log.info({ feed: name }, 'feed no longer stale');
    known = names;
  };
}

/** Pause between two checks of the whole store, in milliseconds. */
const checkEveryMs = 24 * 3_600_000;

/** Pause after a check that could not be made, in milliseconds. */
const retryMs = 5 * 60_000;

/** Time from the start to the first check, in milliseconds. The check would slow the start down. */
const firstCheckMs = 1_000;

/** The log line for a damaged store, by its kind. It says what to do. */
const damageAdvice: Readonly<Record<StorePlace['kind'], string>> = {
  sqlite:
    'store damaged: stop the service, move pizarra.db* out of the data directory, and restore a backup with "pizarra restore FILE"',
  postgres: 'store damaged: stop all nodes, and restore a backup of the database',
};

/**
 * Checks a store soon after the start and once a day, while the service runs. A store that was found
 * damaged stays marked as damaged until a restart. Reads of damaged pages fail until then.
 */
export function watchStore(deps: {
  /** Whether this process is the one that checks. Of several nodes, the one that writes does. */
  readonly isMine: () => boolean;
  /** As `StorePlace.check`. */
  readonly check: (signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly onDamaged: (fault: StoreFault) => void;
  readonly log: Log;
  /** Interval in which to test whether a check is due, in milliseconds, and the delay of the first test. */
  readonly pauseMs?: number;
}): AsyncDisposable {
  const { isMine, check, clock, onDamaged, log, pauseMs = firstCheckMs } = deps;
  const stopping = new AbortController();
  let dueAt = 0;
  const work = async (): Promise<void> => {
    if (clock.monotonic() < dueAt || !isMine()) return;
    dueAt = clock.monotonic() + checkEveryMs;
    const begun = clock.monotonic();
    try {
      await check(stopping.signal);
      log.info({ ms: Math.round(clock.monotonic() - begun) }, 'store checked, no damage found');
    } catch (fault) {
      if (stopping.signal.aborted) return;
      if (fault instanceof StoreFault && fault.code === 'corrupt') {
        onDamaged(fault);
        return;
      }
      dueAt = clock.monotonic() + retryMs;
      throw fault;
    }
  };
  const onFault = (fault: unknown): void =>
    log.warn({ err: fault }, 'could not check the store, retrying in five minutes');
  const checking = repeat(work, { pauseMs, onFault });
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await checking[Symbol.asyncDispose]();
    },
  };
}
