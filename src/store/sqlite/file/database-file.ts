import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { makeDirectory } from '../../../lib/files/make-directory.ts';
import { StoreFault, damaged } from '../../contract/store-fault.ts';
import { refuseMissing } from './commit-mark.ts';

/** The database's name in the data directory. */
export const databaseFileName = 'pizarra.db';

/** Creates a directory that only its owner can access, when none exists. */
export function createDirectory(directory: string): void {
  const created = makeDirectory(directory, 0o700);
  // A power failure may remove a new directory until its parent is synced.
  if (created !== undefined) syncFile(dirname(created));
}

/**
 * Creates an empty database file and its directory when they are missing. Only their owner can access
 * them. SQLite gives its additional files (`-wal`, `-shm`) the same mode.
 *
 * @throws StoreFault `corrupt` when a database existed before and is missing now.
 */
export function createDatabaseFile(path: string): void {
  const directory = dirname(path);
  createDirectory(directory);
  refuseMissing(path);
  refuseEmptied(path);
  createFile(path);
  syncFile(directory);
}

/**
 * Requires that a database file exists.
 *
 * @throws StoreFault `absent` when no database ever existed; `corrupt` when it was removed or emptied.
 */
export function requireDatabaseFile(path: string): void {
  refuseMissing(path);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) throw absentStore(path);
  refuseEmptied(path);
}

/** The fault of a data directory without a store. */
export function absentStore(path: string): StoreFault {
  return new StoreFault(
    'absent',
    `${dirname(path)} contains no store. Check --store, or create a store with "pizarra serve", ` +
      '"pizarra import" or "pizarra keys create"',
  );
}

/**
 * Refuses a file that was emptied. SQLite would treat it as a new database and discard its log. SQLite
 * creates a log only after the first page, so an empty file beside a log has lost its content. The log
 * is checked first, because another process may be creating both at this moment.
 */
function refuseEmptied(path: string): void {
  const hasLog = sizeOf(`${path}-wal`) > 0;
  if (hasLog && sizeOf(path) === 0) {
    throw damaged(path, 'it is empty');
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Syncs a file or a directory. */
export function syncFile(path: string): void {
  // Node's permission model forbids syncing. A service that runs under it has created and synced its
  // files before (`node/service/least-rights.ts`).
  if (process.permission !== undefined) return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

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
