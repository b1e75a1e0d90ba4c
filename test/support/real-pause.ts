import { setTimeout as sleep } from 'node:timers/promises';

/** Waits in real time, as the service does. */
export function realPause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}
