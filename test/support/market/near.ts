import assert from 'node:assert/strict';

/** Asserts that a number exists and differs from the expected one by at most a tolerance. */
export function assertNear(
  actual: number | null | undefined,
  expected: number,
  tolerance: number,
): void {
  const difference = Math.abs((actual ?? Number.NaN) - expected);
  assert.ok(difference <= tolerance, `${actual} instead of ${expected} ± ${tolerance}`);
}
