import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';

/** Pause between two checks of the whole store, in milliseconds. */
const checkEveryMs = 24 * 3_600_000;

/** Pause after a check that could not be made, in milliseconds. */
const retryMs = 5 * 60_000;

/** Time from the start to the first check, in milliseconds. The check would slow the start down. */
const firstCheckMs = 1_000;

/** The log line for a damaged store, by its kind. It says what to do. */
export const damageAdvice: Readonly<Record<StorePlace['kind'], string>> = {
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
  /** Pause between two looks at whether a check is due, in milliseconds, also before the first one. */
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
