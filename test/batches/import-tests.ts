import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';

import { deferred, processMsMax } from '../support/wait.ts';

const project = join(import.meta.dirname, '../..');

/** The cases of the properties are the same in each run. A file that runs alone, and `npm run test:fuzz`, draw others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });

/**
 * Files that start programs, read the files of others, or compute for seconds. `npm test`, which runs before each
 * commit, leaves them to `npm run test:all`. It keeps one start of the program (`test/e2e/operator.test.ts`) and the
 * kills under load (`test/faults/kill.test.ts`).
 */
export const long = [
  // `npm run check` runs these.
  'test/{hidden-inputs,layers}.test.ts',
  'src/store/sqlite/{crash,damaged-pages}.test.ts',
  'src/feeds/simulated/simulated{,-relations}.test.ts',
  'src/universe/{mutation,universe-schemas}.test.ts',
  'test/{bench,embed,fuzz,operation,program,simulation,workers}/**/*.test.ts',
  'test/clients/python.test.ts',
  'test/docs/documents.test.ts',
  'test/e2e/!(operator).test.ts',
  'test/faults/**/!(kill).test.ts',
  'test/feeds/{recordings-2025,session-soak,sources-check}.test.ts',
  'test/feeds/sources/{demonstration,http,sessions-from-snapshots}.test.ts',
  'test/import/command/**/*.test.ts',
  'test/import/files/containers.test.ts',
  'test/import/{advice,found,history,stored-levels,ticker-like-words}.test.ts',
  'test/mutation/try-mutant.test.ts',
  'test/package/links.test.ts',
  'test/stream/{program,slow-clients}.test.ts',
  'web/src/market/bonds/convention-texts.test.ts',
];

/** The files of `npm test` that match these patterns. */
export function usualFiles(patterns: readonly string[]): Promise<readonly string[]> {
  return Array.fromAsync(glob(patterns, { cwd: project, exclude: long }));
}

/** The files that match these patterns and that only `npm run test:all` runs. */
export async function longFiles(patterns: readonly string[]): Promise<readonly string[]> {
  const usual = new Set(await usualFiles(patterns));
  const all = await Array.fromAsync(glob(patterns, { cwd: project }));
  return all.filter((file) => !usual.has(file));
}

/** Registers the tests of `npm test` in these files. */
export async function importTests(patterns: readonly string[]): Promise<void> {
  await importFiles(() => usualFiles(patterns));
}

/** Registers the tests in these files that only `npm run test:all` runs. */
export async function importLongTests(patterns: readonly string[]): Promise<void> {
  await importFiles(() => longFiles(patterns));
}

/**
 * Registers the tests of these files in this process, in the order of their paths. A file that throws while it is
 * imported is a failed test with its error, and the tests of the other files run.
 *
 * No test starts before all files are imported. Otherwise the hooks after the last test could run while a file is
 * still being imported, if the tests of the files before it are over.
 */
async function importFiles(find: () => Promise<readonly string[]>): Promise<void> {
  const imported = deferred<void>({ withinMs: processMsMax });
  void test('all files of the batch are imported', () => imported.promise);
  for (const file of (await find()).toSorted()) {
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
