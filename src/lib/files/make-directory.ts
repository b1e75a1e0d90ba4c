import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a directory and its missing parents, with a mode. Returns the first directory that it created, or
 * undefined when none was missing.
 *
 * `mkdirSync` with `recursive` is not used: it never returns where the file system answers ENOENT for a new
 * name in an existing directory, as `/proc` does.
 *
 * @throws the error of the file system, with its `code`.
 */
export function makeDirectory(path: string, mode: number): string | undefined {
  const missing: string[] = [];
  let existing = resolve(path);
  while (statSync(existing, { throwIfNoEntry: false }) === undefined) {
    missing.unshift(existing);
    existing = dirname(existing);
  }
  // Fails with ENOTDIR when the path is a file.
  if (missing.length === 0 && !isDirectory(existing)) readdirSync(existing);
  let created: string | undefined;
  for (const one of missing) {
    try {
      mkdirSync(one, { mode });
      created ??= one;
    } catch (error) {
      // Another process may have created it since.
      if (!isDirectory(one)) throw error;
    }
  }
  return created;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
