/** How pauses grow, in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * How long to pause after so many failures in a row (from 1): twice as long each time up to the
 * most, and of that a random half or more, so that many clients of one source that failed together
 * do not come back together.
 *
 * @param random gives numbers from 0 up to but not at 1.
 */
export function backoffMs(
  failures: number,
  { firstMs, maxMs }: Backoff,
  random: () => number,
): number {
  const fullMs = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return (fullMs / 2) * (1 + random());
}
