import type { LiveBar } from './minute-bar.ts';
import type { Instrument } from '../instruments/instrument.ts';
import { makeQuote, type Quote, type QuoteSource, type SessionState } from './quote.ts';
import type { ShownChanges } from './shown-changes.ts';
import type { ReferenceCloses } from '../history/reference-closes.ts';
import { isInForce, type SetAsideBase } from './set-aside-base.ts';
import type { Ticker } from '../instruments/ticker.ts';
import type { Universe } from '../instruments/universe.ts';

/**
 * The part of an instrument's latest quote that must survive a restart. A restarted service shows
 * the same quote under the same version and continues folding updates into it.
 */
export interface StoredQuote {
  readonly ticker: Ticker;
  readonly version: number;
  /** The version of the latest change that every client sees. Absent if it is `version`. */
  readonly plainVersion?: number | undefined;
  readonly session: LiveSession;
  /** The reference closes that the quote was computed with: without those that are set aside. */
  readonly references: ReferenceCloses;
  /** The source of the last price of the session. Its name contains no line feed. */
  readonly source?: QuoteSource | undefined;
  /** A close that the prices contradict. Absent for none. */
  readonly setAside?: SetAsideBase | undefined;
  /** The bar under way. Absent before the first price, and while bars are not recorded. */
  readonly bar?: LiveBar | undefined;
}

/** A session as the engine stores it: what it shows, and what folding further updates requires. */
export interface LiveSession extends SessionState {
  /** The instant of the price in `open`; null when the source reported the open itself. */
  readonly openAt: number | null;
  /** The previous close that the source reports. */
  readonly sourcePreviousClose?: number | undefined;
  /**
   * The instant at which the source gave the official close. From then on `last` is that close, and
   * further prices of the session do not change it. Absent while `last` is a traded price.
   */
  readonly officialCloseAt?: number | undefined;
  /**
   * The comparisons with earlier sessions that the followed service shows, if the session is adopted from
   * one. Absent where they are computed from history.
   */
  readonly shown?: ShownChanges | undefined;
  /** Whether history contains everything that the session shows. */
  readonly isInHistory: boolean;
  /**
   * The close last written to history or read from it; null before. It distinguishes a correction
   * that another process wrote from the engine's own close read back.
   */
  readonly historyClose: number | null;
}

/** The quote that readers see, of a stored one. */
export function quoteOfStored(
  instrument: Instrument,
  stored: Pick<
    StoredQuote,
    'version' | 'plainVersion' | 'session' | 'references' | 'setAside' | 'source' | 'bar'
  >,
): Quote {
  const { version, plainVersion, session, references, setAside, source, bar } = stored;
  const hasNoBase = isInForce(setAside) && references.previous === undefined;
  const sourcePreviousClose = hasNoBase ? undefined : session.sourcePreviousClose;
  return makeQuote(instrument, {
    version,
    plainVersion,
    session,
    references,
    setAside,
    sourcePreviousClose,
    shown: session.shown,
    source,
    bar,
  });
}

/** The quotes that readers see, of stored ones. Those of instruments that the universe lacks are left out. */
export function quotesOfStored(
  universe: Pick<Universe, 'find'>,
  stored: readonly StoredQuote[],
): readonly Quote[] {
  return stored.flatMap((one) => {
    const instrument = universe.find(one.ticker);
    return instrument === undefined ? [] : [quoteOfStored(instrument, one)];
  });
}
