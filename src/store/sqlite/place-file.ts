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

import { StoreFault } from '../store-fault.ts';

/**
 * Makes a file under a name that must be free: it is written under another name beside it, and gets
 * its own when it is whole and on the disk. So nothing is ever overwritten, and whatever happens
 * midway, no part of a file is ever found under that name.
 *
 * @param write fills the file at the path that it is given, which exists, is empty, and is for its
 *   owner alone.
 * @throws StoreFault `conflict` when there is such a file; and what `write` throws.
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

/** A link fails where the name is taken, in one step; a renaming would replace what has it. */
function giveName(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
    unlinkSync(unfinished);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw isThere(path, error);
    // A memory stick knows no links. There the name is claimed first.
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
  return new StoreFault('conflict', `${path} is there already, and nothing is overwritten`, {
    cause,
  });
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
