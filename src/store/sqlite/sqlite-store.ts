import type { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import type { ActionStore } from '../contract/action-store.ts';
import type { BarStore } from '../contract/bar-store.ts';
import type { CloseReader, HistoryReader, HistoryWriter } from '../contract/history-store.ts';
import { noHints } from '../contract/hints.ts';
import type { IndexStore } from '../contract/index-store.ts';
import type { KeyStore } from '../contract/key-store.ts';
import type { OpenMode } from '../contract/place.ts';
import type { QuoteStore } from '../contract/quote-store.ts';
import { StoreFault } from '../contract/store-fault.ts';
import type { StoreMemory } from '../contract/store-memory.ts';
import type { TermsStore } from '../contract/terms-store.ts';
import type { Store } from '../contract/store.ts';
import type { DirectoryClaim } from './guard/claim-directory.ts';
import { requireFinished } from './file/copy-mark.ts';
import { requireMarked } from './file/commit-mark.ts';
import { openReader, openWhenFree } from './file/connection.ts';
import { databaseFileName, requireDatabaseFile } from './file/database-file.ts';
import { openInlineWriteSide, type WriteSideOptions } from './write/inline-write-side.ts';
import { prepareDatabase, requireSchema } from './schema/prepare-database.ts';
import { readOnlyWriteSide } from './write/read-only-write-side.ts';
import { trustingStatements, withFaults } from './file/sqlite-fault.ts';
import { SqliteActionReader } from './read/sqlite-action-reader.ts';
import { SqliteBarReader } from './read/sqlite-bar-reader.ts';
import { SqliteHistoryReader } from './read/sqlite-history-reader.ts';
import { SqliteIndexReader } from './read/sqlite-index-reader.ts';
import { SqliteKeyReader } from './read/sqlite-key-reader.ts';
import { SqliteMemoryReader } from './read/sqlite-memory-reader.ts';
import { SqliteQuoteReader } from './read/sqlite-quote-reader.ts';
import { SqliteTermsReader } from './read/sqlite-terms-reader.ts';
import { openThreadWriteSide } from './write/thread-write-side.ts';
import type {
  ActionWriter,
  BarWriter,
  IndexWriter,
  KeyWriter,
  QuoteWriter,
  TermsWriter,
  WriteSide,
} from './write/write-side.ts';
import { WriterThread } from './write/writer-thread.ts';

/** Default of {@link OpenOptions.busyWaitMs}. */
const busyWaitMsDefault = 30_000;

/** Options of {@link openSqliteStore}. */
export interface OpenOptions {
  readonly directory: string;
  /** The default is `create`. */
  readonly mode?: OpenMode;
  /** As in `PlaceOpenOptions`. */
  readonly isCopyTarget?: boolean | undefined;
  /** The claim of a service on the directory. */
  readonly claim?: DirectoryClaim | undefined;
  /**
   * The thread of the connection that writes. `inline`: this thread, which every commit blocks until it
   * is on disk. `worker`: a separate thread, for a service that must answer requests meanwhile.
   * A thread of {@link startWriterThread} for the same directory: the store uses it, and closes it.
   */
  readonly writer?: 'inline' | 'worker' | WriterThread;
  /** Maximum time to wait for a writer of another process, in milliseconds. Then the fault is `busy`. */
  readonly busyWaitMs?: number;
}

/**
 * Opens the store in a directory.
 *
 * The store has two connections to one file. One connection reads committed data. The other one writes,
 * unless the mode is `read`. Other processes may open the same store at the same time. Each process
 * sees the commits of the others.
 *
 * @throws StoreFault `absent`, `unavailable`, `schema-newer`, `schema-older`, `unfinished` or `busy`; `corrupt` when
 *   the database is damaged or has lost durable commits. The message then says how to restore a backup.
 */
export async function openSqliteStore(options: OpenOptions): Promise<Store> {
  const { directory, claim } = options;
  if (claim?.covers(directory) === false) throw new Error(`${directory} is not claimed`);
  try {
    return await openStoreAt(join(directory, databaseFileName), options);
  } catch (fault) {
    if (!(fault instanceof StoreFault) || fault.code !== 'corrupt') throw fault;
    const advice = `To restore a backup, move ${directory} away and run: pizarra restore FILE --store ${directory}`;
    throw new StoreFault('corrupt', `${fault.message}. ${advice}`, { cause: fault });
  }
}

/**
 * Starts the writing thread of a store before the store is opened, so that the thread loads its program while
 * the caller does other work. The thread opens no file of the store before.
 */
export function startWriterThread(directory: string): WriterThread {
  return new WriterThread({
    path: join(directory, databaseFileName),
    busyWaitMs: busyWaitMsDefault,
  });
}

async function openStoreAt(
  path: string,
  {
    mode = 'create',
    isCopyTarget = false,
    writer = 'inline',
    busyWaitMs = busyWaitMsDefault,
  }: OpenOptions,
): Promise<Store> {
  if (mode === 'create') await prepareDatabase(path, busyWaitMs);
  await using opened = new AsyncDisposableStack();
  const writing = opened.use(
    mode === 'read' ? readOnlyWriteSide(path) : await openWriteSide({ path, busyWaitMs }, writer),
  );
  const reader = opened.use(await openCurrentReader(path, busyWaitMs));
  if (!isCopyTarget) withFaults(path, () => requireFinished(reader, path));
  const store = withFaults(path, () =>
    trustingStatements(path, () => new SqliteStore(path, reader, writing)),
  );
  // From here on, the store owns the connections and closes them.
  opened.move();
  return store;
}

function openWriteSide(
  options: WriteSideOptions,
  writer: NonNullable<OpenOptions['writer']>,
): Promise<WriteSide> {
  if (writer === 'inline') return openInlineWriteSide(options);
  return openThreadWriteSide(options, writer === 'worker' ? undefined : writer);
}

class SqliteStore implements Store {
  readonly history: HistoryReader & CloseReader & HistoryWriter;
  readonly actions: ActionStore;
  readonly indices: IndexStore;
  readonly terms: TermsStore;
  readonly memory: StoreMemory;
  readonly keys: KeyStore;
  readonly quotes: QuoteStore;
  readonly bars: BarStore;
  readonly hints = noHints;
  readonly #reader: DatabaseSync;
  readonly #writing: WriteSide;

  constructor(path: string, reader: DatabaseSync, writing: WriteSide) {
    this.#reader = reader;
    this.#writing = writing;
    // Each part reads through one connection and writes through the other.
    const { history, actions, indices, terms, keys, quotes, bars } = writing;
    this.history = Object.assign(new SqliteHistoryReader(path, reader), {
      transaction: (...args) => history.transaction(...args),
    } satisfies HistoryWriter);
    this.actions = Object.assign(new SqliteActionReader(path, reader), {
      apply: (...args) => actions.apply(...args),
      restore: (versions) => actions.restore(versions),
    } satisfies ActionWriter);
    this.indices = Object.assign(new SqliteIndexReader(path, reader), {
      put: (...args) => indices.put(...args),
      restore: (content) => indices.restore(content),
    } satisfies IndexWriter);
    const termsReader = new SqliteTermsReader(path, reader);
    this.terms = Object.assign(termsReader, {
      record: (...args) => terms.record(...args),
      restore: (versions) => terms.restore(versions),
    } satisfies TermsWriter);
    this.memory = new SqliteMemoryReader(path, reader, termsReader);
    this.keys = Object.assign(new SqliteKeyReader(path, reader), {
      insert: (...args) => keys.insert(...args),
      change: (...args) => keys.change(...args),
      rotate: (...args) => keys.rotate(...args),
      restore: (content) => keys.restore(content),
      noteUses: (uses) => keys.noteUses(uses),
    } satisfies KeyWriter);
    this.quotes = Object.assign(new SqliteQuoteReader(path, reader), {
      commit: (commit) => quotes.commit(commit),
    } satisfies QuoteWriter);
    this.bars = Object.assign(new SqliteBarReader(path, reader), {
      tidyBars: (options) => bars.tidyBars(options),
    } satisfies BarWriter);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#reader.isOpen) return;
    // The writer is closed last. The last connection merges the log into the file, and a reader cannot.
    this.#reader.close();
    await this.#writing[Symbol.asyncDispose]();
  }
}

async function openCurrentReader(path: string, busyWaitMs: number): Promise<DatabaseSync> {
  withFaults(path, () => requireDatabaseFile(path));
  return openWhenFree(path, busyWaitMs, openReader, (database) => {
    requireMarked(database, path);
    requireSchema(database, path);
  });
}
