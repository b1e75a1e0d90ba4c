import { Deadline, timerMsMax } from './deadline.ts';

/** The first wait between attempts without `Retry-After`, in milliseconds. It doubles each time. */
const firstWaitMs = 250;

/** What is added to a wait at random, as a part of it, so that many clients do not come back together. */
const jitter = 0.25;

/** Waits, or throws the reason of the signal as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, timerMsMax),
    );
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Waits for a time in milliseconds. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

/** A wait that the event `wake` ends. */
export function wakeable(wait: Wait, wake: EventTarget | undefined): Wait {
  if (wake === undefined) return wait;
  return async (ms, signal) => {
    const end = new Deadline(signal);
    const stopWaking = onWake(wake, () => end.expire());
    try {
      await wait(ms, end.signal);
    } catch (error) {
      if (!end.hasPassed) throw error;
    } finally {
      stopWaking();
      end.end();
    }
  };
}

/** Calls a function for each event `wake`. Returns what ends it. */
export function onWake(wake: EventTarget | undefined, run: () => void): () => void {
  wake?.addEventListener('wake', run);
  return () => wake?.removeEventListener('wake', run);
}

/**
 * The wait before the next attempt, in milliseconds.
 *
 * @param failures the number of attempts that failed in a row, at least 1.
 * @param retryAfter the wait that the service asks for, in seconds. The client never waits less.
 */
export function waitBefore(
  failures: number,
  {
    retryAfter,
    firstMs = firstWaitMs,
    waitMsMax,
  }: {
    readonly retryAfter?: number | undefined;
    readonly firstMs?: number;
    readonly waitMsMax: number;
  },
): number {
  const asked = retryAfter === undefined ? undefined : retryAfter * 1_000;
  // 2 ** 20 times the first wait is more than any maximum.
  const ms = asked ?? Math.min(waitMsMax, firstMs * 2 ** Math.min(failures - 1, 20));
  return ms + Math.random() * Math.max(firstWaitMs, ms * jitter);
}
