import { glob } from 'node:fs/promises';
import { join } from 'node:path';

import { excludedFiles } from './excluded.ts';

const project = join(import.meta.dirname, '../..');

/** The folders whose tests start the program or a store as users of the service see it. */
export const postgresTestFolders = [
  'e2e',
  'operation',
  'import',
  'workers',
  'stream',
  'contract',
  'private',
] as const;

function isExcluded(name: string): boolean {
  return excludedFiles.some(({ file }) => file === name);
}

/** The test files that run with their data in PostgreSQL. */
export async function postgresTestFiles(): Promise<readonly string[]> {
  const patterns = postgresTestFolders.map((folder) => `test/${folder}/**/*.test.ts`);
  const files = await Array.fromAsync(glob(patterns, { cwd: project }));
  return [...files, 'test/faults/kill.test.ts'].filter((file) => !isExcluded(file)).toSorted();
}
