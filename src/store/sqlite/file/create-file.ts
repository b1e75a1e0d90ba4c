import { closeSync, openSync } from 'node:fs';

/**
 * Creates an empty file that only its owner can access, when none exists.
 *
 * An existing file is never opened. Closing any descriptor of a file releases all POSIX locks of the
 * process on it, and SQLite uses such locks (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
export function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
