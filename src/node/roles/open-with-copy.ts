import type { Log } from '../../lib/reports/log.ts';
import type { Store } from '../../store/contract/store.ts';
import { FallbackStore } from './fallback-store.ts';
import type { LocalCopy } from './local-copy.ts';

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
  const store = new FallbackStore(copy);
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
