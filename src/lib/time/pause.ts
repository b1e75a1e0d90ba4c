import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; rejects when the signal aborts. In milliseconds. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * Waits in real time.
 *
 * @throws when the signal is aborted before the pause is over, at once.
 */
export function pauseInRealTime(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}
