import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { StoreFault } from '../store-fault.ts';
import { refuseMissing } from './commit-mark.ts';
import { createFile } from './create-file.ts';
import { damaged } from './sqlite-fault.ts';

/** Creates a directory, accessible to its owner only, where there is none. */
export function createDirectory(directory: string): void {
  const created = mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Until its parent is synced too, a new directory may vanish with the power.
  if (created !== undefined) syncDirectory(dirname(created));
}

/**
 * Creates an empty database file and its directory where they are missing, both for their owner only.
 * SQLite gives the files that it adds beside it (`-wal`, `-shm`) the same mode.
 *
 * @throws StoreFault `corrupt` when a database was there and is gone.
 */
export function createDatabaseFile(path: string): void {
  const directory = dirname(path);
  createDirectory(directory);
  refuseMissing(path);
  refuseEmptied(path);
  createFile(path);
  syncDirectory(directory);
}

/**
 * @throws StoreFault `absent` when there is no database file; `corrupt` when there was one, or it was
 *   emptied.
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
    `There is no store in ${dirname(path)}. Check --data; "pizarra serve", "pizarra import" and ` +
      '"pizarra keys create" create one',
  );
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
  // files before (`app/service/least-rights.ts`).
  if (process.permission !== undefined) return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
