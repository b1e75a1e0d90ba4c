import type { Log } from '../../lib/reports/log.ts';
import {
  callMethod,
  mapMethods,
  type StoreHint,
  type MethodCall,
  type Store,
} from '../../store/contract/store.ts';
import { StoreFault, isOutage } from '../../store/contract/store-fault.ts';
import type { LocalCopy } from './local-copy.ts';

/** The revision of what is read from the copy before the store could be read: no store has it. */
const copyRevision = -1;

/** The parts that are followed by their revision, from the copy until the database was reached. */
const followedParts: ReadonlySet<string> = new Set(['actions', 'indices', 'terms']);

/** A store that is read from a database, and from the local copy while the database is unavailable. */
export interface FallbackStore extends Omit<Store, typeof Symbol.asyncDispose> {
  /** Reads from the database from now on. */
  connect(store: Store): void;
}

/**
 * Creates a store over a local copy. Until the database was reached once, everything that is followed comes from the
 * copy. Later, closes are read from it during an outage. Bars of minutes and the memory of changes are not copied.
 */
export function fallbackStore(copy: LocalCopy): FallbackStore {
  const local = copy.store;
  const listeners = new Set<(what: StoreHint) => void>();
  let remote: Store | undefined;
  /** Whether closes were read from the copy since the database last named the changes. */
  let wasCopyRead = false;

  const parts = mapMethods((method): MethodCall => {
    const { part, name, kind } = method;
    const fromRemote: MethodCall = async (...args) => {
      if (remote !== undefined) return callMethod(remote, method, args);
      throw new StoreFault('unavailable', 'the database could not be reached yet');
    };
    if (part === 'history' && kind === 'prices') {
      return (...args) =>
        fromRemote(...args).catch((fault: unknown) => {
          if (!isOutage(fault) || !copy.isComplete) throw fault;
          wasCopyRead = true;
          return callMethod(local, method, args);
        });
    }
    if (followedParts.has(part) && name === 'revision') {
      return async () => (remote === undefined ? copyRevision : fromRemote());
    }
    if (followedParts.has(part) && name === 'readAll') {
      return async () => {
        if (remote !== undefined) return fromRemote();
        return { ...((await callMethod(local, method, [])) as object), revision: copyRevision };
      };
    }
    return fromRemote;
  });
  const hint = (what: StoreHint): void => {
    for (const onHint of listeners) onHint(what);
  };

  return {
    ...parts,
    history: {
      ...parts.history,
      // After a read from the copy, the database names all instruments, because the copy may be older.
      async changesSince(revision) {
        if (remote === undefined) return { revision: 0, tickers: [] };
        const isStale = wasCopyRead;
        wasCopyRead = false;
        try {
          return await remote.history.changesSince(isStale ? 0 : revision);
        } catch (fault) {
          wasCopyRead ||= isStale;
          throw fault;
        }
      },
    },
    hints: {
      subscribe(onHint) {
        listeners.add(onHint);
        return { [Symbol.dispose]: () => void listeners.delete(onHint) };
      },
    },
    connect(store) {
      remote = store;
      store.hints.subscribe(hint);
      for (const what of ['quotes', 'history', 'keys', 'actions', 'indices'] as const) hint(what);
    },
  };
}

/** How long a start waits for the database before it uses the copy, in milliseconds. */
const waitMs = 1_000;

/** A store with a local copy of it. */
export interface CopiedStore extends AsyncDisposable {
  readonly store: FallbackStore;
  readonly copy: LocalCopy;
}

/**
 * Opens a store with its local copy. If the database cannot be read within a second and the copy is
 * whole, the node starts from the copy. Without a whole copy it waits for the database.
 *
 * @param copy the caller disposes it afterwards.
 * @param deps.open opens the store of the database as soon as that is possible.
 */
export async function openWithCopy(
  copy: LocalCopy,
  {
    open,
    log,
    stopping: stopStart,
  }: {
    readonly open: (signal: AbortSignal) => Promise<Store>;
    readonly log: Log;
    /** Ends the wait for the database. */
    readonly stopping: AbortSignal;
  },
): Promise<CopiedStore> {
  await using cleanUp = new AsyncDisposableStack();
  const store = fallbackStore(copy);
  const later = cleanUp.use(new AsyncDisposableStack());
  const stopping = new AbortController();
  stopStart.addEventListener('abort', () => stopping.abort(stopStart.reason), { once: true });
  const connect = async (): Promise<void> => {
    const remote = later.use(await open(stopping.signal));
    store.connect(remote);
    later.use(copy.follow(remote));
  };
  const connected = connect();
  cleanUp.defer(async () => {
    stopping.abort();
    await connected.catch(() => undefined);
  });
  if (copy.isComplete) {
    // The node continues with its copy.
    connected.catch((fault: unknown) => {
      if (!stopping.signal.aborted) log.error({ err: fault }, 'store cannot be opened');
    });
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, waitMs);
    await Promise.race([connected.catch(() => undefined), timer.promise]);
    clearTimeout(timeout);
  } else {
    await connected;
  }
  const running = cleanUp.move();
  return { store, copy, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
