import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreFault } from '../store-fault.ts';

/** The file whose lock says that a service runs on the directory. */
const lockFileName = 'serve.lock';

/**
 * Claims a data directory for one service, until disposed or the process ends, however it ends: the
 * lock is the system's. Two writers would each believe that they give the next version.
 *
 * @throws StoreFault `busy` when another service has claimed it.
 */
export function claimDirectory(directory: string): Disposable {
  const path = join(directory, lockFileName);
  // Made here for the owner alone: SQLite would leave the rights to the umask.
  closeSync(openSync(path, 'a', 0o600));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    const message = `Another pizarra serve runs on the data directory ${directory}; stop it first, or choose another with --data.`;
    throw new StoreFault('busy', message, { cause });
  }
  return { [Symbol.dispose]: () => lock.close() };
}
