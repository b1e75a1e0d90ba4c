/** The source of time. Code that needs time takes a clock as an argument, so that tests control it. */
export interface Clock {
  /** Now, in epoch milliseconds. */
  now(): number;
}

/** The machine's clock. Only `app` uses it. */
export const systemClock: Clock = { now: () => Date.now() };
