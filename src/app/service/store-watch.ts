import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { repeat } from '../../lib/repeat.ts';
import { StoreFault } from '../../store/store-fault.ts';

/** How often the whole store is read and checked, in ms, after the first time. */
const checkEveryMs = 24 * 3_600_000;

/** How soon it is checked after a start, in ms: not while it starts. */
const firstCheckMs = 1_000;

/**
 * Has a store checked soon after a start and once a day, beside the service. What is found damaged
 * stays so until a restart over a sound store; reads that meet the damage fail meanwhile.
 */
export function watchStore(deps: {
  /** As `checkPages`. */
  readonly check: (signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly onDamaged: () => void;
  readonly log: Log;
}): AsyncDisposable {
  const { check, clock, onDamaged, log } = deps;
  const stopping = new AbortController();
  let dueAt = 0;
  const work = async (): Promise<void> => {
    if (clock.monotonic() < dueAt) return;
    dueAt = clock.monotonic() + checkEveryMs;
    const begun = clock.monotonic();
    try {
      await check(stopping.signal);
      log.info({ ms: Math.round(clock.monotonic() - begun) }, 'the store was checked and is sound');
    } catch (fault) {
      if (stopping.signal.aborted) return;
      if (!(fault instanceof StoreFault) || fault.code !== 'corrupt') throw fault;
      onDamaged();
      log.error(
        { err: fault },
        'the store is damaged: stop the service, move the data directory away, and restore a backup with: pizarra restore FILE',
      );
    }
  };
  const onFault = (fault: unknown): void =>
    log.warn({ err: fault }, 'the store could not be checked; it is tried again tomorrow');
  const checking = repeat(work, { pauseMs: firstCheckMs, onFault });
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await checking[Symbol.asyncDispose]();
    },
  };
}
