import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import {
  noHints,
  callMethod,
  mapMethods,
  type ReadSide,
  type Store,
  type StoreParts,
  type WriteSide,
  type StoreHint,
  type StoreHints,
} from '../contract/store.ts';
import type { OpenMode } from '../contract/place.ts';
import { StoreFault, type StoreDamage } from '../contract/store-fault.ts';
import { toQuoteRows } from '../encoding/quote-row.ts';
import { readSide } from '../tables/tables.ts';
import type { DirectoryClaim } from './health/claim-directory.ts';
import { openCurrent, prepareDatabase, requireFinished } from './schema/prepare-database.ts';
import { busyWaitMsDefault, openReader, SqliteConnection } from './file/connection.ts';
import { databaseFileName } from './file/database-file.ts';
import { openInlineWriteSide, type WriteSideOptions } from './write/inline-write-side.ts';
import { readOnlyFault, withFaults } from './file/sqlite-fault.ts';
import { queries } from './sql/queries.ts';
import { SqliteReader } from './sql/sqlite-driver.ts';
import { openThreadWriteSide, WriterThread } from './write/thread-write-side.ts';

/** Options of {@link openSqliteStore}. */
interface OpenOptions {
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
   */
  readonly writer?: 'inline' | 'worker';
  /** The damage that was found in the place. By default, no read is refused because of an earlier one. */
  readonly damage?: StoreDamage;
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

async function openStoreAt(path: string, options: OpenOptions): Promise<Store> {
  const { mode = 'create', isCopyTarget = false, busyWaitMs = busyWaitMsDefault, damage } = options;
  if (mode === 'create') await prepareDatabase(path, busyWaitMs);
  await using opened = new AsyncDisposableStack();
  const writing =
    mode === 'read'
      ? undefined
      : opened.use(await openWriteSide({ path, busyWaitMs }, options.writer));
  const reader = opened.use(await openCurrent(path, busyWaitMs, openReader));
  if (!isCopyTarget) withFaults(path, () => requireFinished(reader, path));
  const reading = readSide(new SqliteReader(new SqliteConnection(reader, path)), queries);
  // A store that writes has one writer at a time: itself.
  const hints = mode === 'read' ? new SqliteHints(reader) : noHints;
  // From here on, the store owns the connections and closes them.
  opened.move();
  return {
    ...partsOf(path, { reading, writing, damage }),
    hints,
    async [Symbol.asyncDispose]() {
      if (!reader.isOpen) return;
      // The writer is closed last. The last connection merges the log into the file, and a reader cannot.
      reader.close();
      await writing?.[Symbol.asyncDispose]();
    },
  };
}

async function openWriteSide(
  options: WriteSideOptions,
  writer: OpenOptions['writer'] = 'inline',
): Promise<WriteSide & AsyncDisposable> {
  if (writer === 'worker') return openThreadWriteSide(() => new WriterThread(options));
  const side = await openInlineWriteSide(options);
  const commit: WriteSide['quotes']['commit'] = ({ quotes, ...rest }) =>
    side.quotes.commit({ ...rest, quotes: toQuoteRows(quotes) });
  return { ...side, quotes: { commit } };
}

/**
 * The methods of a store. They refuse closes and bars as soon as damage has been found anywhere in the store, and
 * note the damage that they find themselves.
 *
 * Quotes, keys, corporate actions and indices are read as a whole, and kept in memory. They are read again, so that
 * a change of a key still takes effect.
 */
function partsOf(
  path: string,
  {
    reading,
    writing,
    damage,
  }: {
    readonly reading: ReadSide;
    readonly writing: WriteSide | undefined;
    readonly damage: StoreDamage | undefined;
  },
): StoreParts {
  return mapMethods((method) => async (...args) => {
    const side = method.kind === 'write' ? writing : reading;
    if (side === undefined) throw readOnlyFault(path);
    if (method.kind === 'prices' && damage?.fault !== undefined) throw damage.fault;
    try {
      return await callMethod(side, method, args);
    } catch (fault) {
      damage?.note(fault);
      throw fault;
    }
  });
}

/** How often the version of the data is read while somebody subscribes, in milliseconds. A read takes 6 µs. */
const pollMs = 10;

/**
 * Hints that another connection has changed a SQLite file, of this process or another. SQLite raises
 * `PRAGMA data_version` of a connection with every commit of any other connection. What has changed is not known;
 * the quotes change most often, and the rest is polled. Nothing is read without a subscriber.
 */
class SqliteHints implements StoreHints, Disposable {
  readonly #version: StatementSync;
  readonly #subscribers = new Set<(what: StoreHint) => void>();
  #seen: unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(reader: DatabaseSync) {
    this.#version = reader.prepare('PRAGMA data_version');
  }

  subscribe(onHint: (what: StoreHint) => void): Disposable {
    this.#subscribers.add(onHint);
    this.#timer ??= setInterval(() => this.#look(), pollMs).unref();
    return {
      [Symbol.dispose]: () => {
        this.#subscribers.delete(onHint);
        if (this.#subscribers.size === 0) this[Symbol.dispose]();
      },
    };
  }

  #look(): void {
    const version = this.#read();
    if (version === this.#seen) return;
    this.#seen = version;
    for (const onHint of this.#subscribers) onHint('quotes');
  }

  /** A fault of the file is reported by whoever reads its data. */
  #read(): unknown {
    try {
      return Object.values(this.#version.get() ?? {})[0];
    } catch {
      return this.#seen;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
