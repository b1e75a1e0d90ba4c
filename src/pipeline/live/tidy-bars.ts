import { msPerMinute } from '../../domain/quotes/minute-bar.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { BarStore } from '../../store/contract/bar-store.ts';

/** Pauses before each round of tidying, and between two steps of it, in milliseconds. */
export interface TidyPauses {
  readonly roundMs: number;
  /** Commits take place in this pause. */
  readonly stepMs: number;
}

const usualPauses: TidyPauses = { roundMs: 60_000, stepMs: 20 };

/**
 * Time from the last bar of a day until the day is packed, in milliseconds. The settle delay is added to it,
 * because the last bar of a session is stored when that delay is over.
 */
const idleMs = 60 * msPerMinute;

/** Keeps the stored bars within their limits, until disposed. */
export function tidyBars({
  bars,
  clock,
  log,
  settleDelayMs,
  sessionsMax,
  pauses = usualPauses,
}: {
  readonly bars: Pick<BarStore, 'tidyBars'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settleDelayMs: number;
  /** Number of sessions of each instrument whose bars are kept. 0 removes all bars. */
  readonly sessionsMax: number;
  readonly pauses?: TidyPauses;
}): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const tidy = async (): Promise<void> => {
    const idleSince = Math.floor((clock.now() - settleDelayMs - idleMs) / msPerMinute);
    while (!signal.aborted && (await bars.tidyBars({ idleSince, sessionsMax }))) {
      await pauseInRealTime(pauses.stepMs, signal).catch(() => undefined);
    }
  };
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not tidy the bars, retrying');
  const running = repeat(tidy, { pauseMs: pauses.roundMs, onFault });
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running[Symbol.asyncDispose]();
    },
  };
}
