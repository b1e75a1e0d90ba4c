import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { StoreFault } from '../store-fault.ts';
import { refuseMissing } from './commit-mark.ts';
import { damaged } from './sqlite-fault.ts';

/**
 * Makes sure that there is a file to open, in a directory, both for the owner alone where they are
 * new. SQLite gives the files it adds beside it (`-wal`, `-shm`) the same rights.
 */
export function createDatabaseFile(path: string): void {
  const directory = dirname(path);
  const created = mkdirSync(directory, { recursive: true, mode: 0o700 });
  refuseMissing(path);
  refuseEmptied(path);
  closeSync(openSync(path, 'a', 0o600));
  syncDirectory(directory);
  // Until its parent is synced too, a new directory may vanish with the power.
  if (created !== undefined) syncDirectory(dirname(created));
}

/** @throws StoreFault `unavailable` when there is no file to read. */
export function requireDatabaseFile(path: string): void {
  refuseMissing(path);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new StoreFault('unavailable', `there is no store yet: ${path} does not exist`);
  }
  refuseEmptied(path);
}

/**
 * Refuses a file that was emptied. SQLite would take it for a new database and throw its log away;
 * but a log comes after the first page, so an empty file with a log beside it has lost its content.
 * The log is looked at first, because another process may be making both right now.
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

function syncDirectory(path: string): void {
  // Node's permission model takes syncing away. A service that runs under it has made and synced its
  // files before (`app/least-rights.ts`).
  if (process.permission !== undefined) return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
