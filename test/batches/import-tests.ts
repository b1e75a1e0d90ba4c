import { glob } from 'node:fs/promises';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/** Registers the tests of these files in this process, in the order of their paths. */
export async function importTests(patterns: readonly string[]): Promise<void> {
  const files = await Array.fromAsync(glob(patterns, { cwd: project }));
  for (const file of files.toSorted()) await import(join(project, file));
}
