import type { StorePlace } from '../../store/contract/place.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import type { Store } from '../../store/contract/store.ts';

/** Opens the store of a place for reading. Gives undefined if none exists. */
export async function openExisting(place: StorePlace): Promise<Store | undefined> {
  try {
    return await place.open({ mode: 'read' });
  } catch (fault) {
    if (fault instanceof StoreFault && fault.code === 'absent') return undefined;
    throw fault;
  }
}

/** Whether a service has shown its demonstration on a place. */
export async function hasDemonstration(place: StorePlace): Promise<boolean> {
  try {
    await using demonstration = place.demonstration();
    await using _ = await demonstration.open({ mode: 'read' });
    return true;
  } catch (fault) {
    // A demonstration that cannot be read must not fail a command on the real store.
    if (fault instanceof StoreFault) return fault.code !== 'absent';
    throw fault;
  }
}
