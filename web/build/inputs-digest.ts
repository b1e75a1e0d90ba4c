import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A digest of all inputs of the build: the files of `web/` and the versions of the packages. It
 * uses the content and not the date, because a checkout gives every file a new date.
 */
export async function inputsDigest(web: string): Promise<string> {
  const entries = await readdir(web, { recursive: true, withFileTypes: true });
  const sources = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(web, 'dist')) && !path.endsWith('.test.ts'))
    .toSorted();
  const hash = createHash('sha256');
  for (const path of [...sources, join(web, '../package-lock.json')]) {
    hash.update(path.slice(web.length)).update('\0');
    hash.update(await readFile(path)).update('\0');
  }
  return hash.digest('hex');
}
