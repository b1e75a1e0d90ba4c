import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { KeyStore } from '../../store/contract/key-store.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { StoreFault, isOutage } from '../../store/contract/store-fault.ts';
import { callMethod, mapMethods, type Store } from '../../store/contract/store.ts';

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
 * @param options.signal ends the wait.
 * @throws StoreFault when waiting cannot help, such as `schema-newer`.
 */
export async function openWhenReady(
  place: StorePlace,
  {
    log,
    signal = new AbortController().signal,
  }: { readonly log: Log; readonly signal?: AbortSignal | undefined },
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
