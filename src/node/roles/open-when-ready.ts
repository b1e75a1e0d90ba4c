import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { StoreFault, isOutage } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';

/** How often a store that cannot be opened yet is tried again, in milliseconds. */
const retryMs = 250;

/**
 * Opens a store to read, as soon as that is possible: another node may have to create it, and the
 * database may have to start. The log has one line for each kind of fault.
 *
 * @throws StoreFault when waiting cannot help, such as `schema-newer`.
 */
export async function openWhenReady(
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
