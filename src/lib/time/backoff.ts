/** The first and the maximum pause, in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * The pause before the next retry, in milliseconds. The pause doubles with each failure, up to
 * `maxMs`. The second half of it is random, so that clients of a source that failed at the same time
 * do not all retry at the same time.
 *
 * @param failures the number of failures in a row, at least 1.
 * @param random returns numbers from 0 (inclusive) to 1 (exclusive).
 */
export function backoffMs(
  failures: number,
  { firstMs, maxMs }: Backoff,
  random: () => number,
): number {
  const fullMs = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return (fullMs / 2) * (1 + random());
}
