/** Reports that the service may be reachable now, or that the visitor wants it to be tried. */
const attempts = new EventTarget();

/** Connects again at once what is broken, and what has been silent. */
export function reconnectNow(): void {
  attempts.dispatchEvent(new Event('now'));
}

/** Calls a function for each wish to connect now, until the signal aborts. */
export function onReconnectNow(run: () => void, signal: AbortSignal): void {
  attempts.addEventListener('now', run, { signal });
}

/** Connects again when the network is back, and when the machine or the tab wakes. */
export function watchNetwork(): void {
  window.addEventListener('online', reconnectNow);
  window.addEventListener('pageshow', ({ persisted }) => {
    // A page that is loaded connects anyway. One that comes back from the history has a dead connection.
    if (persisted) reconnectNow();
  });
  document.addEventListener('resume', reconnectNow);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') reconnectNow();
  });
}
