import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Real market data that lies beside the project where its authors work, and nowhere else. */
const directory = resolve(import.meta.dirname, '../../../shared/data');

/**
 * The path of a file or folder of the shared data, or undefined where it is not there: then a test
 * skips, and says so.
 */
export function sharedData(path: string): string | undefined {
  const found = resolve(directory, path);
  return existsSync(found) ? found : undefined;
}
