import { closeSync, openSync } from 'node:fs';

/**
 * Creates an empty file, readable by its owner only, where there is none.
 *
 * An existing file is never opened: closing any descriptor of a file releases all POSIX locks that
 * the process has on it, and SQLite's are such locks (https://sqlite.org/howtocorrupt.html, 2.2).
 */
export function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
