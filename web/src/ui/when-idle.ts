import { effect } from '@preact/signals';

/** The longest wait for a moment without work, in milliseconds. */
const waitMsMax = 2_000;

/** Runs something that can wait, once the page has nothing else to do. */
export function whenIdle(run: () => void): void {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: waitMsMax });
  else setTimeout(run, 200);
}

/** Runs something that can wait, once a condition of signals is true and the page has nothing else to do. */
export function whenIdleAfter(condition: () => boolean, run: () => void): void {
  const stop = effect(() => {
    if (!condition()) return;
    queueMicrotask(() => stop());
    whenIdle(run);
  });
}
