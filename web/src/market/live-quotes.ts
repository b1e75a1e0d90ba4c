import type { ReadonlySignal } from '@preact/signals';

import type { Quote } from './api/quote.ts';
import type { SessionPath } from './session-path.ts';

/** An instrument of a selection, with its current quote. */
export interface Row {
  readonly ticker: string;
  /** Undefined while the instrument has no quote. */
  readonly quote: Quote | undefined;
}

/** What views read of the quotes of a selection, and of the paths of their sessions. */
export interface LiveQuotes {
  /** The tickers in the order of the selection. Until it is loaded, those that are expected. */
  readonly tickers: ReadonlySignal<readonly string[]>;
  /** Whether the quotes are listed, or the service cannot be reached. */
  readonly isLoaded: ReadonlySignal<boolean>;
  /** A counter that increases after changes, at most once a second. Zero for a second after the selection is loaded. */
  readonly moment: ReadonlySignal<number>;
  /** The quote of an instrument of the selection. The same signal for the same instrument. */
  readonly quote: (ticker: string) => ReadonlySignal<Quote | undefined>;
  /** The path of the session of an instrument. Undefined while it is not loaded, and without a quote. */
  readonly path: (ticker: string) => ReadonlySignal<SessionPath | undefined>;
  /**
   * All instruments with their current quotes, once they are loaded.
   *
   * @param order the tickers of the rows. By default the order is that of the selection.
   */
  readonly rows: (order?: readonly string[]) => readonly Row[];
  /** What these were converted from. Absent for quotes as the service sends them. */
  readonly source?: {
    readonly live: LiveQuotes;
    /** The instrument whose prices divide those in pesos. */
    readonly dollar: string;
    readonly dollarQuote: ReadonlySignal<Quote | undefined>;
  };
}
