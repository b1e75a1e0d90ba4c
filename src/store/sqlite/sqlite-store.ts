import type { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import type {
  CloseReader,
  HistoryReader,
  HistoryTransaction,
  HistoryWriter,
} from '../history-store.ts';
import type { KeyChangeOutcome, KeyStore, KeyUse } from '../key-store.ts';
import type { QuoteCommit, QuoteStore } from '../quote-store.ts';
import { StoreFault } from '../store-fault.ts';
import type { Store } from '../store.ts';
import type { DirectoryClaim } from './claim-directory.ts';
import { requireMarked } from './commit-mark.ts';
import { openReader, openWhenFree } from './connection.ts';
import { requireDatabaseFile } from './database-file.ts';
import { openInlineWriteSide } from './inline-write-side.ts';
import type { WriteSideOptions } from './inline-write-side.ts';
import { requireSchema } from './migrate.ts';
import { migrations } from './migrations.ts';
import { prepareDatabase } from './prepare-database.ts';
import { readOnlyWriteSide } from './read-only-write-side.ts';
import { trustingStatements, withFaults } from './sqlite-fault.ts';
import { SqliteHistoryReader } from './sqlite-history-reader.ts';
import { SqliteKeyReader } from './sqlite-key-reader.ts';
import { SqliteQuoteReader } from './sqlite-quote-reader.ts';
import { openThreadWriteSide } from './thread-write-side.ts';
import type { KeyWriter, QuoteWriter, WriteSide } from './write-side.ts';
import { WriterThread } from './writer-thread.ts';

/** The database's name in the data directory. */
export const databaseFileName = 'pizarra.db';

/** How long a writer waits for one of another process before it gives up, unless told otherwise. */
const busyWaitMsDefault = 30_000;

/**
 * What opening a store may do. `read`: nothing is created or changed, and every write is refused as
 * `unavailable`. `write`: there must be a store. `create`: one is created where there is none.
 */
export type OpenMode = 'read' | 'write' | 'create';

/** How a store is opened. */
export interface OpenOptions {
  readonly directory: string;
  /** `create` unless given. */
  readonly mode?: OpenMode;
  /** The claim of a service on the directory: with it, an older schema is upgraded. */
  readonly claim?: DirectoryClaim | undefined;
  /**
   * Where the writing connection lives: `inline`, in this thread, which every commit then holds up
   * until the disk has it; `worker`, in a thread of its own, for a service that must answer meanwhile.
   * A thread that {@link startWriterThread} started for the same directory is used, and ended with the
   * store.
   */
  readonly writer?: 'inline' | 'worker' | WriterThread;
  /** How long a writer waits for one of another process, in milliseconds. */
  readonly busyWaitMs?: number;
}

/**
 * Opens the store in a directory.
 *
 * It holds two connections to one file: one that reads and sees only what is committed, and, unless
 * the mode is `read`, one that writes. Other processes may do the same at the same time; each sees
 * what the others commit.
 *
 * @throws StoreFault `absent`, `unavailable`, `schema-newer`, `schema-older` or `busy`; `corrupt`, with
 *   the way to restore, also when commits are missing that were durable once.
 */
export async function openSqliteStore(options: OpenOptions): Promise<Store> {
  const { directory, claim } = options;
  if (claim?.covers(directory) === false) throw new Error(`${directory} is not claimed`);
  try {
    return await openStoreAt(join(directory, databaseFileName), options);
  } catch (fault) {
    if (!(fault instanceof StoreFault) || fault.code !== 'corrupt') throw fault;
    const advice = `To go on from a backup, move ${directory} away and run: pizarra restore FILE --data ${directory}`;
    throw new StoreFault('corrupt', `${fault.message}. ${advice}`, { cause: fault });
  }
}

/**
 * Starts the thread that writes to a directory's store, ahead of opening it: the thread loads its program
 * while the caller does other work. It touches no file before the store is opened.
 */
export function startWriterThread(directory: string): WriterThread {
  return new WriterThread({
    path: join(directory, databaseFileName),
    busyWaitMs: busyWaitMsDefault,
  });
}

/**
 * Creates an empty store in a directory that has none, and changes nothing in one that has.
 *
 * @throws StoreFault as {@link openSqliteStore}.
 */
export function createSqliteStore(directory: string): Promise<void> {
  const path = join(directory, databaseFileName);
  return prepareDatabase(path, { busyWaitMs: busyWaitMsDefault, mayUpgrade: false });
}

async function openStoreAt(
  path: string,
  { mode = 'create', claim, writer = 'inline', busyWaitMs = busyWaitMsDefault }: OpenOptions,
): Promise<Store> {
  if (mode === 'create') {
    await prepareDatabase(path, { busyWaitMs, mayUpgrade: claim !== undefined });
  }
  await using opened = new AsyncDisposableStack();
  const writing = opened.use(
    mode === 'read' ? readOnlyWriteSide(path) : await openWriteSide({ path, busyWaitMs }, writer),
  );
  const reader = opened.use(await openCurrentReader(path, busyWaitMs));
  const store = withFaults(path, () =>
    trustingStatements(path, () => new SqliteStore(path, reader, writing)),
  );
  // From here on the store closes them.
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
  readonly keys: KeyStore;
  readonly quotes: QuoteStore;
  readonly #reader: DatabaseSync;
  readonly #writing: WriteSide;

  constructor(path: string, reader: DatabaseSync, writing: WriteSide) {
    this.#reader = reader;
    this.#writing = writing;
    this.history = new SqliteHistory(path, reader, writing.history);
    this.keys = new SqliteKeys(path, reader, writing.keys);
    this.quotes = new SqliteQuotes(path, reader, writing.quotes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#reader.isOpen) return;
    // The writer goes last: the last to close folds the log into the file, and a reader may not.
    this.#reader.close();
    await this.#writing[Symbol.asyncDispose]();
  }
}

/** Reads through one connection and writes through the other. */
class SqliteHistory extends SqliteHistoryReader implements HistoryWriter {
  readonly #writer: HistoryWriter;

  constructor(path: string, reader: DatabaseSync, writer: HistoryWriter) {
    super(path, reader);
    this.#writer = writer;
  }

  transaction<T>(work: (transaction: HistoryTransaction) => Promise<T>): Promise<T> {
    return this.#writer.transaction(work);
  }
}

class SqliteKeys extends SqliteKeyReader implements KeyStore {
  readonly #writer: KeyWriter;

  constructor(path: string, reader: DatabaseSync, writer: KeyWriter) {
    super(path, reader);
    this.#writer = writer;
  }

  insert(...args: Parameters<KeyStore['insert']>): Promise<void> {
    return this.#writer.insert(...args);
  }

  change(...args: Parameters<KeyStore['change']>): Promise<KeyChangeOutcome> {
    return this.#writer.change(...args);
  }

  rotate(...args: Parameters<KeyStore['rotate']>): Promise<KeyChangeOutcome> {
    return this.#writer.rotate(...args);
  }

  noteUses(uses: readonly KeyUse[]): Promise<void> {
    return this.#writer.noteUses(uses);
  }
}

class SqliteQuotes extends SqliteQuoteReader implements QuoteStore {
  readonly #writer: QuoteWriter;

  constructor(path: string, reader: DatabaseSync, writer: QuoteWriter) {
    super(path, reader);
    this.#writer = writer;
  }

  commit(commit: QuoteCommit): Promise<void> {
    return this.#writer.commit(commit);
  }
}

async function openCurrentReader(path: string, busyWaitMs: number): Promise<DatabaseSync> {
  withFaults(path, () => requireDatabaseFile(path));
  return openWhenFree(path, busyWaitMs, openReader, (database) => {
    requireMarked(database, path);
    requireSchema(database, path, migrations.length);
  });
}
