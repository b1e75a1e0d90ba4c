import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { StoreFault } from '../../store/store-fault.ts';
import type { Store } from '../../store/store.ts';

/** Opens the store of a directory for reading. Gives undefined if none exists. */
export async function openExisting(directory: string): Promise<Store | undefined> {
  try {
    return await openSqliteStore({ directory, mode: 'read' });
  } catch (fault) {
    if (fault instanceof StoreFault && fault.code === 'absent') return undefined;
    throw fault;
  }
}
