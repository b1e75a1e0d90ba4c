import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { StoreFault } from '../../contract/store-fault.ts';

/**
 * Creates a file atomically. The file is written under a temporary name in the same directory, and gets
 * its final name when it is complete and synced. So an existing file is never overwritten, and an
 * incomplete file never has the final name.
 *
 * @param write writes the file at the given path. That file exists, is empty, and only its owner can
 *   access it.
 * @throws StoreFault `conflict` when the file exists already; and any error of `write`.
 */
export async function placeFile<T>(
  path: string,
  write: (unfinished: string) => Promise<T>,
): Promise<T> {
  if (existsSync(path)) throw isThere(path);
  const unfinished = `${path}.${process.pid}.unfinished`;
  closeSync(openSync(unfinished, 'wx', 0o600));
  try {
    const written = await write(unfinished);
    sync(unfinished);
    giveName(unfinished, path);
    sync(dirname(path));
    return written;
  } finally {
    for (const left of ['', '-journal', '-wal', '-shm']) rmSync(unfinished + left, { force: true });
  }
}

/** Gives the file its final name. A link fails when the name exists; a rename would replace the file. */
function giveName(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
    unlinkSync(unfinished);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw isThere(path, error);
    // Some file systems (FAT on a memory stick) have no links. There the name is claimed first.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    claimName(path);
    renameSync(unfinished, path);
  }
}

function claimName(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw isThere(path, error);
    throw error;
  }
}

function isThere(path: string, cause?: unknown): StoreFault {
  const message = `${path} already exists and is not overwritten. Choose another name`;
  return new StoreFault('conflict', message, { cause });
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
