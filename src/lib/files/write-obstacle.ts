import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { constants as system } from 'node:os';
import { dirname, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';

/** Free space below which a database cannot be opened, in bytes. */
const freeBytesMin = 1024 * 1024;

/** Why a path cannot be written. */
export interface WriteObstacle {
  /** The code of the operating system, such as `EROFS` or `ENOSPC`. */
  readonly code: string;
  /** In the words of the operating system: `read-only file system`. */
  readonly reason: string;
}

/**
 * What prevents a file or directory from being written or created: the rights, the file system or its free space.
 * Undefined if nothing does. Libraries such as SQLite report some of these causes as a failure to open a file.
 */
export function writeObstacle(path: string): WriteObstacle | undefined {
  let existing = resolve(path);
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  try {
    const isDirectory = statSync(existing).isDirectory();
    const isBelowFile = !isDirectory && existing !== resolve(path);
    if (isBelowFile) return obstacleOf('ENOTDIR', -system.errno.ENOTDIR);
    const directory = isDirectory ? existing : dirname(existing);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    accessSync(existing, constants.R_OK | constants.W_OK);
    const { blocks, bavail, bsize } = statfsSync(directory);
    return blocks > 0 && bavail * bsize < freeBytesMin
      ? obstacleOf('ENOSPC', -system.errno.ENOSPC)
      : undefined;
  } catch (error) {
    const { code = '', errno = 0 } = error as NodeJS.ErrnoException;
    return obstacleOf(code, errno);
  }
}

function obstacleOf(code: string, errno: number): WriteObstacle {
  return { code, reason: getSystemErrorMessage(errno) ?? code };
}
