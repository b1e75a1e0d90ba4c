import { sleep } from '../../../clients/typescript/src/time/wait.ts';

/** Waits until a time in milliseconds has passed or the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, signal).catch(() => {});
}

/** Runs a task again and again until the signal aborts, and waits after each run. */
export async function repeat(
  task: () => Promise<void>,
  wait: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop
    await task();
    // oxlint-disable-next-line no-await-in-loop
    await wait();
  }
}
