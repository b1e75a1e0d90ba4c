import type { QuoteCommit, QuoteStore } from '../../contract/quote-store.ts';
import type { WriteSide } from '../../contract/store.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';

/**
 * The writing half of a store. Its connection is in this thread or in a separate one. Disposing it waits
 * for the pending calls, then closes the connection.
 */
export interface SqliteWriteSide extends Omit<WriteSide, 'quotes'>, AsyncDisposable {
  readonly quotes: QuoteWriter;
}

/** The writing half of a quote store. It takes quotes as rows, which may come from another thread. */
export interface QuoteWriter {
  commit(commit: RowCommit): ReturnType<QuoteStore['commit']>;
}

/** A commit with the rows of its quotes. */
export type RowCommit = Omit<QuoteCommit, 'quotes'> & { readonly quotes: readonly QuoteRow[] };
