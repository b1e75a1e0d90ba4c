/**
 * What was seen last, in a database of the browser (IndexedDB) that only this page reads. A write is done
 * as a whole or not at all, also if the page is closed meanwhile. The service worker knows nothing of it,
 * and the key is never stored in it.
 */

import { basePath } from '../../ui/base-path.ts';

/** Maximum number of stored entries. The oldest is removed first. */
const entriesMax = 24;

const storeName = 'vistos';
const byTime = 'at';

/** An entry of the database. */
interface Entry {
  readonly name: string;
  /** When it was stored, in milliseconds since 1970. */
  readonly at: number;
  readonly value: unknown;
}

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(`pizarra ${basePath()}`);
  request.addEventListener('upgradeneeded', () => {
    const store = request.result.createObjectStore(storeName, { keyPath: 'name' });
    store.createIndex(byTime, 'at');
  });
  return resultOf(request);
}

/** Runs requests on the store in a transaction of their own. The value is that of the last one. */
async function run<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const database = await (opened ??= open());
    return await resultOf(work(database.transaction(storeName, mode).objectStore(storeName)));
  } catch {
    // The browser has no room or no databases. What was seen is then not available without a network.
    return undefined;
  }
}

/** Stores a value under a name. */
export async function writeSeen(name: string, value: unknown): Promise<void> {
  const entry: Entry = { name, at: Date.now(), value };
  await run('readwrite', (store) => {
    const written = store.put(entry);
    const counted = store.count();
    counted.addEventListener('success', () => {
      if (counted.result > entriesMax) removeOldest(store);
    });
    return written;
  });
}

/** The value under a name. Undefined if there is none. */
export async function readSeen(name: string): Promise<unknown> {
  const entry = await run<Entry | undefined>('readonly', (store) => store.get(name));
  return entry?.value;
}

/** Whether anything is stored. */
export async function hasSeen(): Promise<boolean> {
  return ((await run('readonly', (store) => store.count())) ?? 0) > 0;
}

/** Removes everything that is stored. */
export async function clearSeen(): Promise<void> {
  await run('readwrite', (store) => store.clear());
}

function removeOldest(store: IDBObjectStore): void {
  const found = store.index(byTime).openCursor();
  found.addEventListener('success', () => found.result?.delete());
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  request.addEventListener('success', () => resolve(request.result));
  request.addEventListener('error', () => reject(request.error ?? new Error('no database')));
  return promise;
}
