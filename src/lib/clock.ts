/** Where time comes from; an argument of whatever needs it, so that a test can hold it still. */
export interface Clock {
  /** Now, in epoch milliseconds. */
  now(): number;
}

/** The machine's own clock; wired in `app` only. */
export const systemClock: Clock = { now: () => Date.now() };
