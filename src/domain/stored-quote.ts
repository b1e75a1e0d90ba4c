import type { SessionState } from './quote.ts';
import type { ReferenceCloses } from './reference-closes.ts';
import type { Ticker } from './ticker.ts';

/**
 * All that must outlive the process of an instrument's latest quote: with it, a restarted service
 * shows the same quote under the same version, and goes on folding as if it had never stopped.
 */
export interface StoredQuote {
  readonly ticker: Ticker;
  readonly version: number;
  readonly session: LiveSession;
  /** What the quote was compared with when it was made. */
  readonly references: ReferenceCloses;
}

/** A session as the writer knows it: what it shows, and what it takes to go on folding. */
export interface LiveSession extends SessionState {
  /** The instant of the price that `open` is; null when the source told the open itself. */
  readonly openAt: number | null;
  /** What the feed calls the previous close. */
  readonly sourcePreviousClose?: number | undefined;
  /**
   * The instant at which the source gave the official close. From then on `last` is that close, and
   * further prices of the session do not move it. Absent while `last` is a traded price.
   */
  readonly officialCloseAt?: number | undefined;
  /** Whether all that the session shows has been handed to history. */
  readonly isInHistory: boolean;
  /**
   * The close last handed to history or taken from it; null before. Tells a correction by somebody
   * else from our own word coming back.
   */
  readonly historyClose: number | null;
}
