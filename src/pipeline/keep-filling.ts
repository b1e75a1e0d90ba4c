import { isPowerOfTwo } from '../lib/numbers/is-power-of-two.ts';
import type { Log } from '../lib/reports/log.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Pause } from '../lib/time/pause.ts';

/** The pauses between reads of what another Pizarra stores: a correction there is here within a minute. In milliseconds. */
const copyPauses = { everyMs: 40_000, afterFaultMs: 5 * 60_000 };

/** The maximum length of one pause, in milliseconds. Then the clock is read again, as it may be set. */
const pauseMsMax = 10 * 60_000;

/** What is filled from sources, and when. */
export interface Filling {
  /** The pause before the first run, in milliseconds. Until then the feeds connect. */
  readonly startPauseMs: number;
  /** Each run is delayed at random by up to this time, in milliseconds. */
  readonly jitterMsMax: { readonly start: number; readonly later: number };
  /** One run. Returns whether nothing was left for an early next run. */
  readonly fill: (signal: AbortSignal) => Promise<boolean>;
  /** When the next run begins, in epoch milliseconds, by what {@link fill} returned. Infinity: never. */
  readonly nextAt: (isDone: boolean) => number;
  /**
   * Reads what other services of this kind store, which they may correct at any time, between two runs. Returns whether
   * all was read. Absent where no service is followed.
   */
  readonly followCopies?: ((signal: AbortSignal) => Promise<boolean>) | undefined;
  /** The message of the log after a run that threw. Such a run is retried. */
  readonly onFault: string;
}

/** What {@link keepFilling} depends on. */
export interface FillingDependencies {
  readonly clock: Pick<Clock, 'now'>;
  /** Returns numbers from 0 up to but not including 1. */
  readonly random: () => number;
  readonly pause: Pause;
  readonly log: Log;
}

/** Fills shortly after the start, and again whenever it is due. Disposing ends a run under way. */
export function keepFilling(
  filling: Filling | undefined,
  dependencies: FillingDependencies,
): AsyncDisposable {
  const stopping = new AbortController();
  const running = filling && run(filling, dependencies, stopping.signal);
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

async function run(
  filling: Filling,
  dependencies: FillingDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { startPauseMs, jitterMsMax, fill, nextAt, followCopies, onFault } = filling;
  const { clock, random, log } = dependencies;
  let dueAt = clock.now() + startPauseMs + random() * jitterMsMax.start;
  let copiesDueAt = Infinity;
  let failures = 0;
  try {
    while (Math.min(dueAt, copiesDueAt) < Infinity) {
      await until(Math.min(dueAt, copiesDueAt), dependencies, signal);
      const isWhole = clock.now() >= dueAt;
      let isDone = false;
      try {
        isDone = (await (isWhole ? fill : followCopies)?.(signal)) ?? true;
        if (isWhole) failures = 0;
      } catch (err) {
        signal.throwIfAborted();
        if (isWhole) failures += 1;
        if (!isWhole) log.debug({ err }, 'could not follow what another service stores');
        else if (isPowerOfTwo(failures)) log.error({ err, failures }, onFault);
      }
      if (isWhole) dueAt = nextAt(isDone) + random() * jitterMsMax.later;
      if (followCopies === undefined) continue;
      copiesDueAt = clock.now() + (isDone ? copyPauses.everyMs : copyPauses.afterFaultMs);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function until(
  instant: number,
  { clock, pause }: FillingDependencies,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  for (let leftMs = instant - clock.now(); leftMs > 0; leftMs = instant - clock.now()) {
    await pause(Math.min(leftMs, pauseMsMax), signal);
  }
}
