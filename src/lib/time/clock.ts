/** The source of time. Code that needs time takes a clock as an argument, so that tests control it. */
export interface Clock {
  /** The wall-clock time, in epoch milliseconds. It jumps when the clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary instant, for durations. It never decreases. */
  monotonic(): number;
}

/** The clock of the operating system. Only `config` and the folders above it use it, and pass it to everything below. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
