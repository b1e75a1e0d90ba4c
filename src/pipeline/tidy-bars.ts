import { setTimeout as sleep } from 'node:timers/promises';

import { msPerMinute } from '../domain/minute-bar.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { repeat } from '../lib/repeat.ts';
import type { BarStore } from '../store/bar-store.ts';

/** How often the bars are tidied, in milliseconds. */
const pauseMs = 60_000;

/** Pause between two steps, in milliseconds. Commits take place in it. */
const stepPauseMs = 20;

/**
 * Time after the last bar of a day, besides the settle delay, until the day is packed, in milliseconds.
 * The last bar of a session is stored when the settle delay is over.
 */
const idleMs = 60 * msPerMinute;

/** Keeps the stored bars within their limits, until disposed. */
export function tidyBars({
  bars,
  clock,
  log,
  settleDelayMs,
  sessionsMax,
}: {
  readonly bars: Pick<BarStore, 'tidyBars'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settleDelayMs: number;
  /** Number of sessions of each instrument whose bars are kept. 0 removes all bars. */
  readonly sessionsMax: number;
}): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const tidy = async (): Promise<void> => {
    const idleSince = Math.floor((clock.now() - settleDelayMs - idleMs) / msPerMinute);
    while (!signal.aborted && (await bars.tidyBars({ idleSince, sessionsMax }))) {
      await sleep(stepPauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not tidy the bars, retrying');
  const running = repeat(tidy, { pauseMs, onFault });
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running[Symbol.asyncDispose]();
    },
  };
}
