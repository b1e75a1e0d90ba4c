import type { CloseReader, HistoryReader, HistoryWriter } from './history-store.ts';
import type { KeyStore } from './key-store.ts';
import type { QuoteStore } from './quote-store.ts';

/** All that one installation keeps. Disposing it closes what it has open. */
export interface Store extends AsyncDisposable {
  readonly history: HistoryReader & CloseReader & HistoryWriter;
  readonly keys: KeyStore;
  readonly quotes: QuoteStore;
}
