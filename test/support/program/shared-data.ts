import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestContext } from 'node:test';

/** Real market data, which only the project's authors have, beside their clone of the project. */
const directory = resolve(import.meta.dirname, '../../../../shared/data');

/**
 * The path of a file or folder of the shared data. Undefined when it does not exist. Tests that need it
 * are then skipped.
 */
export function sharedData(path: string): string | undefined {
  const found = resolve(directory, path);
  return existsSync(found) ? found : undefined;
}

/** As {@link sharedData}. Without it, the test is skipped. */
export function sharedOrSkip(t: TestContext, path: string): string | undefined {
  const found = sharedData(path);
  if (found === undefined) t.skip(`the shared market data has no ${path}`);
  return found;
}
