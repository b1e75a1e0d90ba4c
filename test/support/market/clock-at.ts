import { systemClock, type Clock } from '../../../src/lib/time/clock.ts';

/** A clock whose wall-clock time the test sets. Its durations are real. */
export function clockAt(now: () => number): Clock {
  return { now, monotonic: () => systemClock.monotonic() };
}
