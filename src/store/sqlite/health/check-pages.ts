import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { StoreFault } from '../../contract/store-fault.ts';
import { databaseFileName } from '../file/database-file.ts';
import { unpackError, type PackedError } from '../file/sqlite-fault.ts';

/**
 * Reads every page of a store's database in a separate thread, while the database is in use, and checks
 * that the pages are consistent and that every row is as it was stored. Takes about a second for each 100 MB,
 * and a second for each million closes.
 *
 * @throws StoreFault `corrupt`, or `unavailable` when the database cannot be read or `signal` aborts.
 */
export async function checkPages(directory: string, signal: AbortSignal): Promise<void> {
  const path = join(directory, databaseFileName);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const worker = new Worker(new URL('check-worker.ts', import.meta.url), {
    name: 'store-check',
    workerData: path,
  });
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  worker.once('message', (error: PackedError | null) => {
    if (error === null) resolve();
    else reject(unpackError(error));
  });
  worker.once('error', reject);
  worker.once('exit', () => {
    reject(new StoreFault('unavailable', `the check of ${path} was stopped before it finished`));
  });
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
