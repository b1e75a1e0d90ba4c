/** The longest wait for a moment without work, in milliseconds. */
const waitMsMax = 2_000;

/** Runs something that can wait, once the page has nothing else to do. */
export function whenIdle(run: () => void): void {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: waitMsMax });
  else setTimeout(run, 200);
}
