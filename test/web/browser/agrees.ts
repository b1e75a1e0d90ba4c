import assert from 'node:assert/strict';

import { until } from '../../support/wait.ts';

/** Maximum time of the wait, in milliseconds. Without it, that of every wait of the tests. */
interface Limit {
  readonly withinMs?: number;
}

/** Waits until there are no differences, because a page draws a change a moment later. Fails with those that last. */
export async function agrees(
  what: string,
  differences: () => Promise<readonly string[]>,
): Promise<void> {
  assert.deepEqual(await lastingDifferences(what, differences), [], what);
}

/** Waits until there are no differences, and returns those that last. */
export async function lastingDifferences(
  what: string,
  differences: () => Promise<readonly string[]>,
  limit: Limit = {},
): Promise<readonly string[]> {
  let found: readonly string[] = [];
  const isSame = async (): Promise<boolean> => {
    found = await differences();
    return found.length === 0;
  };
  try {
    await until(what, isSame, limit);
  } catch (fault) {
    // The differences could not be read.
    if (found.length === 0) throw fault;
  }
  return found;
}
