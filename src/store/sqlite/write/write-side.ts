import type { ActionStore } from '../../contract/action-store.ts';
import type { BarStore } from '../../contract/bar-store.ts';
import type { HistoryWriter } from '../../contract/history-store.ts';
import type { IndexStore } from '../../contract/index-store.ts';
import type { KeyStore } from '../../contract/key-store.ts';
import type { TermsStore } from '../../contract/terms-store.ts';
import type { QuoteStore } from '../../contract/quote-store.ts';

/**
 * The writing half of a store. Its connection is in this thread or in a separate one. Disposing it waits
 * for the pending calls, then closes the connection.
 */
export interface WriteSide extends AsyncDisposable {
  readonly history: HistoryWriter;
  readonly actions: ActionWriter;
  readonly indices: IndexWriter;
  readonly terms: TermsWriter;
  readonly keys: KeyWriter;
  readonly quotes: QuoteWriter;
  readonly bars: BarWriter;
}

/** The writing half of an action store. */
export type ActionWriter = Pick<ActionStore, 'apply' | 'restore'>;

/** The writing half of a store of indices. */
export type IndexWriter = Pick<IndexStore, 'put' | 'restore'>;

/** The writing half of a store of the terms of bonds. */
export type TermsWriter = Pick<TermsStore, 'record' | 'restore'>;

/** The writing half of a key store. */
export type KeyWriter = Pick<KeyStore, 'insert' | 'change' | 'rotate' | 'restore' | 'noteUses'>;

/** The writing half of a store of bars. Bars are added by the commits of quotes. */
export type BarWriter = Pick<BarStore, 'tidyBars'>;

/** The writing half of a quote store. */
export type QuoteWriter = Pick<QuoteStore, 'commit'>;
