import type { ActionStore } from './action-store.ts';
import type { BarStore } from './bar-store.ts';
import type { CloseReader, HistoryReader, HistoryWriter } from './history-store.ts';
import type { StoreHints } from './hints.ts';
import type { IndexStore } from './index-store.ts';
import type { KeyStore } from './key-store.ts';
import type { QuoteStore } from './quote-store.ts';
import type { StoreMemory } from './store-memory.ts';
import type { TermsStore } from './terms-store.ts';

/** All data of one installation. Disposing it closes its connections. */
export interface Store extends AsyncDisposable {
  readonly history: HistoryReader & CloseReader & HistoryWriter;
  readonly actions: ActionStore;
  readonly indices: IndexStore;
  readonly terms: TermsStore;
  readonly memory: StoreMemory;
  readonly keys: KeyStore;
  readonly quotes: QuoteStore;
  readonly bars: BarStore;
  /** Hints that another process changed the store. */
  readonly hints: StoreHints;
}
