import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { deferred, processMsMax } from '../support/wait.ts';

const project = join(import.meta.dirname, '../..');

/**
 * Registers the tests of these files in this process, in the order of their paths. A file that throws while it is
 * imported is a failed test with its error, and the tests of the other files run.
 *
 * No test starts before all files are imported. Otherwise the hooks after the last test could run while a file is
 * still being imported, if the tests of the files before it are over.
 */
export async function importTests(patterns: readonly string[]): Promise<void> {
  const imported = deferred<void>({ withinMs: processMsMax });
  void test('all files of the batch are imported', () => imported.promise);
  const files = await Array.fromAsync(glob(patterns, { cwd: project }));
  for (const file of files.toSorted()) {
    try {
      await import(join(project, file));
    } catch (error) {
      void test(`${file} is imported`, () => {
        throw error;
      });
    }
  }
  imported.resolve();
}
