import { systemClock } from '../../lib/time/clock.ts';
import type { StorePlace, WriterNode } from '../../store/contract/place.ts';
import type { KeyStore } from '../../store/contract/key-store.ts';
import type { NodeRole } from '../../store/contract/nodes.ts';
import { callMethod, mapMethods, type Store } from '../../store/contract/store.ts';
import type { Arrangement, ServedParts } from './arrangement.ts';
import { ClusterNode } from './cluster-node.ts';
import { WritingNode } from './writer.ts';
import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import { StoreFault, isOutage } from '../../store/contract/store-fault.ts';

/**
 * One of several nodes over one store. Each node that serves follows the store, and so does the node that
 * writes. Any number of nodes may be candidates for writing. One of them holds the claim.
 *
 * A candidate tries to get the claim from the start on, because only the holder creates the store. A
 * node that cannot read the store yet waits.
 *
 * @throws StoreFault when the store is of another version or damaged.
 */
export async function arrangeCluster({
  node,
  role,
  parts,
  stopping: stopStart,
}: {
  readonly node: WriterNode;
  readonly role: NodeRole;
  readonly parts: ServedParts;
  readonly stopping?: AbortSignal | undefined;
}): Promise<Arrangement> {
  const { place, log } = parts;
  await using cleanUp = new AsyncDisposableStack();
  let served: ClusterNode | undefined;
  const writer =
    role === 'serve'
      ? undefined
      : cleanUp.use(
          new WritingNode({
            node,
            parts,
            publish: (quotes) => served?.publish(quotes),
            clock: systemClock,
          }),
        );
  const stopping = new AbortController();
  cleanUp.defer(() => stopping.abort());
  const stop = (): void => stopping.abort(stopStart?.reason);
  stopStart?.addEventListener('abort', stop, { once: true });
  const store = cleanUp.use(await openWhenReady(place, { log, signal: stopping.signal }));
  // From here on, the caller stops the node by disposing the arrangement.
  stopStart?.removeEventListener('abort', stop);
  const running = cleanUp.move();
  return {
    store: { keys: keysOf(place, store), hints: store.hints },
    serve: async (listenersOf) => {
      const own = { instance: node.id, parts, store, writer, clock: systemClock };
      served = await ClusterNode.open(own, listenersOf);
      return served;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * Keys that are read from a store that is open to read. Each of their few changes opens the place to
 * write, without the claim: keys have several writers.
 */
export function keysOf(place: StorePlace, store: Pick<Store, 'keys'>): KeyStore {
  return mapMethods((method) => async (...args) => {
    if (method.kind !== 'write') return callMethod(store, method, args);
    await using writable = await place.open({ mode: 'write' });
    return await callMethod(writable, method, args);
  }).keys;
}

/** How often a store that cannot be opened yet is tried again, in milliseconds. */
const retryMs = 250;

/**
 * Opens a store to read, as soon as that is possible: another node may have to create it, and the
 * database may have to start. The log has one line for each kind of fault.
 *
 * @throws StoreFault when waiting cannot help, such as `schema-newer`.
 */
async function openWhenReady(
  place: StorePlace,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<Store> {
  let logged: string | undefined;
  for (;;) {
    try {
      return await place.open({ mode: 'read' });
    } catch (fault) {
      if (!(fault instanceof StoreFault)) throw fault;
      const { code, message } = fault;
      // At a first start, the node that writes creates the store within a moment.
      const isExpected = code === 'absent';
      if (!isExpected && !isOutage(fault)) throw fault;
      if (code !== logged) {
        logged = code;
        const details = { store: place.name, code, reason: message };
        if (isExpected) log.info(details, 'waiting for the store');
        else log.warn(details, 'store cannot be read yet, retrying');
      }
    }
    await pauseInRealTime(retryMs, signal);
  }
}
