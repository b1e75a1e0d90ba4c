import { isPassing, type Failure, type Outcome } from './service.ts';

/** Time until a failed request is sent again, in milliseconds. */
const retryMs = 3_000;

/**
 * Sends a request again until it succeeds, is refused for a reason that does not pass, or the signal
 * aborts. `onFailure` receives each failure after which it is sent again.
 */
export async function retried<T>(
  request: () => Promise<Outcome<T>>,
  signal: AbortSignal,
  onFailure: (failure: Failure) => void = () => {},
): Promise<Outcome<T>> {
  for (;;) {
    const outcome = await request();
    if (signal.aborted || outcome.ok || !isPassing(outcome.failure)) return outcome;
    onFailure(outcome.failure);
    await pause(retryMs, signal);
    if (signal.aborted) return outcome;
  }
}

/** Waits until a time has passed or the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
