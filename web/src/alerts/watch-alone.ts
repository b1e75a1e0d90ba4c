const lockName = 'pizarra.alert-watch';

/**
 * Runs a task in one tab of this browser at a time: in the one that was visible last. A tab that becomes
 * visible takes over the task, even from a tab that has the lock: browsers may suspend hidden tabs, and on
 * phones a suspended tab keeps its lock. When the tab is closed, another one takes over.
 *
 * @param task runs until its signal aborts.
 * @param onWait called when the task runs in another tab.
 */
export async function watchAlone(
  task: (stopped: AbortSignal) => Promise<void>,
  onWait: () => void,
  stopped: AbortSignal,
): Promise<void> {
  // Pages without TLS, other than those of this machine, have no locks.
  if (!('locks' in navigator)) return task(stopped);
  let isWanted = document.visibilityState === 'visible';
  while (!stopped.aborted) {
    const turn = new AbortController();
    const signal = AbortSignal.any([stopped, turn.signal]);
    let isRunning = false;
    const run = () => {
      isRunning = true;
      return task(signal);
    };
    const onVisible = () => {
      if (isRunning || document.visibilityState !== 'visible') return;
      isWanted = true;
      turn.abort();
    };
    document.addEventListener('visibilitychange', onVisible, { signal });
    if (!isWanted) onWait();
    // A request that takes the lock away from another tab cannot be aborted, and has it at once.
    const request = isWanted
      ? navigator.locks.request(lockName, { steal: true }, run)
      : navigator.locks.request(lockName, { signal }, run);
    isWanted = false;
    // The request is rejected when it is aborted, and when another tab takes the lock away.
    // oxlint-disable-next-line no-await-in-loop
    await request.catch(() => {});
    turn.abort();
  }
}
