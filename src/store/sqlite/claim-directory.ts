import { accessSync, constants, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { StoreFault } from '../store-fault.ts';
import { createFile } from './create-file.ts';
import { createDirectory } from './database-file.ts';
import { isBusy, toStoreFault } from './sqlite-fault.ts';

/** The file whose lock says that a service runs on the directory. */
const lockFileName = 'serve.lock';

/** {@link isServed} holds a shared lock for microseconds. A claim waits for as long, in ms. */
const claimWaitMs = 250;

/**
 * The right of one service to a data directory and all below it. Only its holder may upgrade the
 * schema of a store there. It ends when it is disposed or the process ends, however that happens: the
 * lock belongs to the operating system.
 */
export class DirectoryClaim implements Disposable {
  readonly #directory: string;
  readonly #lock: DatabaseSync;

  constructor(directory: string, lock: DatabaseSync) {
    this.#directory = resolve(directory);
    this.#lock = lock;
  }

  /** Whether the claim is held and covers a directory. */
  covers(directory: string): boolean {
    const [first] = relative(this.#directory, resolve(directory)).split(sep);
    return this.#lock.isOpen && first !== '..';
  }

  [Symbol.dispose](): void {
    if (this.#lock.isOpen) this.#lock.close();
  }
}

/**
 * Claims a data directory for one service, and creates it where it is missing. Two services on one
 * directory would both give the next version.
 *
 * @throws StoreFault `busy` when another service has claimed it; `unavailable` when it cannot be
 *   created or written.
 */
export function claimDirectory(directory: string): DirectoryClaim {
  const path = join(directory, lockFileName);
  try {
    createDirectory(directory);
    createFile(path);
    accessSync(path, constants.R_OK | constants.W_OK);
    const lock = new DatabaseSync(path, { timeout: claimWaitMs });
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      lock.close();
      throw error;
    }
    return new DirectoryClaim(directory, lock);
  } catch (cause) {
    if (!isBusy(cause)) throw toStoreFault(cause, directory);
    const message = `Another pizarra serve runs on the data directory ${directory}; stop it first, or choose another with --data.`;
    throw new StoreFault('busy', message, { cause });
  }
}

/**
 * Whether a service runs on a data directory. Creates nothing, and never keeps a service from
 * claiming it.
 *
 * @throws StoreFault `unavailable` when this user may not look.
 */
export function isServed(directory: string): boolean {
  const path = join(directory, lockFileName);
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return false;
    using lock = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    lock.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw toStoreFault(error, directory);
  }
}
