import type { HistoryWriter } from '../history-store.ts';
import type { KeyStore } from '../key-store.ts';
import type { QuoteStore } from '../quote-store.ts';

/**
 * All that writes to a store, wherever the connection lives: in this thread or in one of its own.
 * Disposing it waits for what was asked for, then closes the connection.
 */
export interface WriteSide extends AsyncDisposable {
  readonly history: HistoryWriter;
  readonly keys: KeyWriter;
  readonly quotes: QuoteWriter;
}

/** The half of a key store that writes. */
export type KeyWriter = Pick<KeyStore, 'insert' | 'change' | 'rotate' | 'noteUses'>;

/** The half of a quote store that writes. */
export type QuoteWriter = Pick<QuoteStore, 'commit'>;
