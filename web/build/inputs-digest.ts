import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The folders outside of `web/` whose code is in the page. A test compares them with its imports. */
export const imported = [
  'clients/typescript/src',
  'src/contract',
  'src/domain',
  'src/lib/text',
] as const;

/**
 * A digest of all inputs of the build: the files of `web/`, those of the folders that the page imports from, and the
 * versions of the packages. It uses the content and not the date, because a checkout gives every file a new date.
 */
export async function inputsDigest(web: string): Promise<string> {
  const folders = [web, ...imported.map((folder) => join(web, '..', folder))];
  const entries = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  );
  const sources = entries
    .flat()
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
