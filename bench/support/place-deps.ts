import { systemClock } from '../../src/lib/time/clock.ts';

/** What a place in PostgreSQL needs of its process. */
export const placeDeps = {
  environment: {},
  monotonic: () => systemClock.monotonic(),
  now: () => systemClock.now(),
  random: Math.random,
};
