import type { Store } from '../../store/contract/store.ts';

/** Whether a store has real data, or a key of a source that pushes them. Then no demonstration runs. */
export async function hasStoredData(store: Store): Promise<boolean> {
  const { revision } = await store.history.changesSince(Number.MAX_SAFE_INTEGER);
  if (revision > 0) return true;
  const { keys } = await store.keys.readAll();
  return keys.some(({ scope }) => scope === 'ingest') || (await store.quotes.readAll()).length > 0;
}
