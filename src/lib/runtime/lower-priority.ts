import { getPriority, setPriority } from 'node:os';

/** What is added to the nice value of a thread. It gets a tenth of a core that another thread keeps busy. */
const step = 10;

/** The nice value of the lowest priority on Linux. */
const lowest = 19;

/**
 * Lets the other threads of the program run before the calling thread where they share a core. Without it, a
 * thread that works for milliseconds keeps the thread that answers requests waiting for as long.
 *
 * Only on Linux does a thread have a priority of its own. Elsewhere nothing changes.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // 0 stands for the calling thread (setpriority(2), "C library/kernel differences").
    setPriority(0, Math.min(getPriority(0) + step, lowest));
  } catch {
    // The system forbids it. The thread works at its usual priority.
  }
}
