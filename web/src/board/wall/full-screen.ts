/**
 * Asks the browser for the whole screen, as the reaction to a click. A browser may refuse, for
 * example on a phone. Then the page fills its window.
 */
export function enterFullScreen(): void {
  if (document.fullscreenElement !== null || !document.fullscreenEnabled) return;
  document.documentElement.requestFullscreen().catch(() => {});
}

/** Gives the screen back. */
export function leaveFullScreen(): void {
  if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => {});
}

/**
 * Keeps the screen on while the page is visible, where the browser can. The returned function ends
 * this. The browser releases the lock when the page is hidden, so it is requested again.
 */
export function keepScreenOn(): () => void {
  if (!('wakeLock' in navigator)) return () => {};
  let lock: WakeLockSentinel | undefined;
  let isOver = false;
  const request = async () => {
    if (document.visibilityState !== 'visible') return;
    lock = await navigator.wakeLock.request('screen').catch(() => undefined);
    if (isOver) void lock?.release();
  };
  const onChange = () => void request();
  document.addEventListener('visibilitychange', onChange);
  void request();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', onChange);
    void lock?.release();
  };
}
