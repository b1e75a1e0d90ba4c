import { accessSync, constants, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { WriterClaim } from '../../contract/place.ts';
import { StoreFault, type ClaimHolder } from '../../contract/store-fault.ts';
import { createFile, createDirectory } from '../file/database-file.ts';
import { DirectoryNotes } from '../file/notes.ts';
import { isBusy, toStoreFault } from '../file/sqlite-fault.ts';
import type { NodeRecord, NodeRegistry } from '../../contract/nodes.ts';

/** The file that a service locks while it runs on the directory. */
const lockFileName = 'serve.lock';

/**
 * Maximum time to wait for the lock of {@link isServed}, in milliseconds. That function holds a shared
 * lock for microseconds.
 */
const claimWaitMs = 250;

/**
 * The exclusive right of one service to a data directory and its subdirectories. The claim ends when it is
 * disposed, or when the process ends for any reason, because the operating system owns the lock.
 */
export class DirectoryClaim implements WriterClaim, Disposable {
  /** No process can take the claim from another one. So there is nothing to fence. */
  readonly token = 1;
  /** It never aborts. */
  readonly lost: AbortSignal = new AbortController().signal;
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

  async [Symbol.asyncDispose](): Promise<void> {
    this[Symbol.dispose]();
  }
}

/**
 * Claims a data directory for one service, and creates the directory when it is missing. Two services on
 * one directory would both assign the next version.
 *
 * @param options.waitMs maximum time for which this thread is blocked by the check of another process
 * @throws StoreFault `busy` with the holder when another service has claimed it.
 * @throws StoreFault `unavailable` when it cannot be created or written.
 */
export function claimDirectory(
  directory: string,
  { waitMs = claimWaitMs }: { readonly waitMs?: number } = {},
): DirectoryClaim {
  const path = join(directory, lockFileName);
  try {
    createDirectory(directory);
    createFile(path);
    accessSync(path, constants.R_OK | constants.W_OK);
    const lock = new DatabaseSync(path, { timeout: waitMs });
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      lock.close();
      throw error;
    }
    return new DirectoryClaim(directory, lock);
  } catch (cause) {
    if (!isBusy(cause)) throw toStoreFault(cause, directory);
    const message = `Another pizarra serve runs on the data directory ${directory}. Stop it first, or choose another directory with --store.`;
    throw new StoreFault('busy', message, { cause, holder: serviceIn(directory) });
  }
}

/**
 * Whether a service runs on a data directory. The check creates nothing, and does not prevent a service
 * from claiming the directory.
 *
 * @throws StoreFault `unavailable` when the user may not read the directory.
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

/**
 * The note in which the running service publishes itself. A killed service leaves it behind, so it only counts while
 * the directory is claimed, and a reader must check that this instance responds.
 */
const serveNote = 'serve';

/** The one service of a directory, with its worker processes, as a registry. */
export function nodesIn(directory: string): NodeRegistry {
  const notes = new DirectoryNotes(directory);
  return {
    async register(node, onFault) {
      const update = async (record: NodeRecord): Promise<void> => {
        await notes.write(serveNote, `${JSON.stringify(record)}\n`).catch(onFault);
      };
      await update(node);
      return { update, [Symbol.asyncDispose]: async () => forgetService(directory) };
    },
    async live() {
      const record = isServed(directory) ? readRecord(directory) : undefined;
      return record === undefined ? [] : [{ ...record, silentMs: 0 }];
    },
  };
}

/** The service that holds the claim of a directory, as far as it has published itself. */
export function serviceIn(directory: string): ClaimHolder {
  const { instance, host, advertisedPrivateUrl } = readRecord(directory) ?? {};
  return { id: instance, name: host, privateUrl: advertisedPrivateUrl };
}

/** Removes the note. A file that cannot be removed is harmless, because its instance no longer responds. */
export function forgetService(directory: string): void {
  try {
    new DirectoryNotes(directory).remove(serveNote);
  } catch {
    // The store reports a failing disk.
  }
}

/** Undefined when the note does not exist or is not valid. */
function readRecord(directory: string): NodeRecord | undefined {
  try {
    return JSON.parse(new DirectoryNotes(directory).readNow(serveNote) ?? '') as NodeRecord;
  } catch {
    return undefined;
  }
}
