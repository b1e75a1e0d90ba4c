import { sleep } from '../../../clients/typescript/src/time/wait.ts';

/** Waits until a time in milliseconds has passed or the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, signal).catch(() => {});
}
