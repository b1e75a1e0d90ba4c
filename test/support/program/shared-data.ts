import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

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
