import { showsSameBook } from '../domain/quotes/book.ts';
import { sessionSource } from '../domain/history/close-source.ts';
import type { DailyClose } from '../domain/history/daily-close.ts';
import { usableReferences } from '../domain/history/judge/usable-references.ts';
import type { Bar, LiveBar, TickerBar } from '../domain/quotes/minute-bar.ts';
import { toEpochDay } from '../domain/calendar/plain-date.ts';
import { plainVersionOf, type Quote, type QuoteSource } from '../domain/quotes/quote.ts';
import type { ReferenceCloses } from '../domain/history/reference-closes.ts';
import {
  quoteOfStored,
  type LiveSession,
  type StoredQuote,
} from '../domain/quotes/stored-quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Slot } from './slot.ts';

/** The close of one session, to be stored in history. */
export interface SessionClose {
  readonly ticker: Ticker;
  readonly close: DailyClose;
}

/** The result of one call of the engine. It must be stored as a whole or not at all. */
export interface ChangeSet {
  /** New quotes, at most one per instrument, in ascending order of version. */
  readonly quotes: readonly Quote[];
  /** The state to store for each instrument that changed, without its history. */
  readonly stored: readonly StoredQuote[];
  /** The closes of ended sessions, to be written to history. */
  readonly closes: readonly SessionClose[];
  /** The bars that are finished, to be written to the history of bars. Ascending for each instrument. */
  readonly bars: readonly TickerBar[];
}

/** A change set without changes. */
export const noChanges: ChangeSet = { quotes: [], stored: [], closes: [], bars: [] };

/**
 * Collects what one call of the engine changes. The engine has one for all its calls: {@link end} begins
 * the next set. Versions are given out here only.
 */
export class ChangeSetBuilder {
  #nextVersion: number;
  /** The slots that the current call has changed so far. */
  #changed: Slot[] = [];
  #closes: SessionClose[] = [];
  #bars: TickerBar[] = [];

  /** @param nextVersion the first version to assign. */
  constructor(nextVersion: number) {
    this.#nextVersion = nextVersion;
  }

  /** Makes all later versions greater than this one, which was given out before a restart. */
  continueAfter(version: number): void {
    this.#nextVersion = Math.max(this.#nextVersion, version + 1);
  }

  /** Changes the bar under way. Clients see it only if they request bars. */
  changeBar(slot: Slot, bar: LiveBar | undefined): boolean {
    if (bar === slot.bar) return false;
    if (bar?.minute !== slot.bar?.minute) this.recordBar(slot);
    slot.bar = bar;
    slot.needsQuote = true;
    this.markChanged(slot);
    return true;
  }

  /**
   * Changes the book alone. The session stays as it is in history, and clients that get no book see no
   * change. Returns whether the book shows something else than before. If it does not, only the
   * instant of the book is stored.
   */
  changeBook(slot: Slot, held: LiveSession, folded: LiveSession): boolean {
    if (folded === held) return false;
    slot.session = folded;
    this.markChanged(slot);
    if (showsSameBook(held.book, folded.book)) return false;
    slot.needsQuote = true;
    return true;
  }

  /** Changes the source of the price, which every client sees in the list of instruments. */
  changeSource(slot: Slot, source: QuoteSource): boolean {
    const { name, delayMinutes, via } = slot.source ?? {};
    const isSame = source.name === name && source.delayMinutes === delayMinutes;
    if (isSame && source.via === via) return false;
    slot.source = source;
    slot.needsQuote = true;
    slot.needsPlainVersion = true;
    this.markChanged(slot);
    return true;
  }

  /** Changes a session as every client sees it. */
  change(slot: Slot, session: LiveSession): void {
    slot.session = session;
    slot.needsQuote = true;
    slot.needsPlainVersion = true;
    this.markChanged(slot);
  }

  /** Lets the state of a slot be stored with the set. */
  markChanged(slot: Slot): void {
    if (slot.needsStore) return;
    slot.needsStore = true;
    this.#changed.push(slot);
  }

  /** Returns all changes since the set before. */
  end(): ChangeSet {
    const quotes: Quote[] = [];
    const stored: StoredQuote[] = [];
    for (const slot of this.#changed) {
      const { session, instrument, setAside, source, bar } = slot;
      slot.needsStore = false;
      if (session === undefined) throw new Error(`${instrument.ticker} has no session`);
      if (slot.needsQuote || slot.quote === undefined) {
        slot.quote = this.#nextQuote(slot, session);
        quotes.push(slot.quote);
      }
      const { version, plainVersion } = slot.quote;
      const { ticker } = instrument;
      const references = shownReferences(slot);
      stored.push({ ticker, version, plainVersion, session, references, setAside, source, bar });
    }
    const closes = this.#closes;
    const bars = this.#bars;
    this.#changed = [];
    this.#closes = [];
    this.#bars = [];
    return { quotes, stored, closes, bars };
  }

  #nextQuote(slot: Slot, session: LiveSession): Quote {
    const { quote, needsPlainVersion } = slot;
    const version = this.#nextVersion;
    const isPlain = needsPlainVersion || quote === undefined;
    this.#nextVersion += 1;
    slot.needsQuote = false;
    slot.needsPlainVersion = false;
    return quoteOf(slot, session, version, isPlain ? undefined : plainVersionOf(quote));
  }

  /** Adds the bar under way to the bars to store, unless it has not changed since it was added. */
  recordBar({ bar, instrument }: Slot): void {
    if (bar === undefined || bar.isRecorded) return;
    this.#bars.push({ ticker: instrument.ticker, bar });
  }

  /**
   * As {@link changeBar}, for a bar that comes without its price: a change of the price that paths show is a
   * change for every client.
   */
  adoptBar(slot: Slot, bar: LiveBar): void {
    const { minute, last } = slot.bar ?? {};
    if (!this.changeBar(slot, bar)) return;
    if (bar.minute !== minute || bar.last !== last) slot.needsPlainVersion = true;
  }

  /** Adds a finished bar to the bars to store. */
  addBar(ticker: Ticker, bar: Bar): void {
    this.#bars.push({ ticker, bar });
  }

  /** Returns the close of a session for history. */
  returnClose(slot: Slot, session: LiveSession): void {
    this.#closes.push(closeOf(slot, session));
    slot.closesReturned += 1;
  }
}

/** The quote of a slot with this session. */
export function quoteOf(
  slot: Slot,
  session: LiveSession,
  version: number,
  plainVersion: number | undefined,
): Quote {
  const { instrument, setAside, source, bar } = slot;
  const references = shownReferences(slot);
  const stored = { version, plainVersion, session, references, setAside, source, bar };
  return quoteOfStored(instrument, stored);
}

/** The reference closes that the quote is computed with. */
function shownReferences({ references, setAside, instrument }: Slot): ReferenceCloses {
  return setAside === undefined
    ? references
    : usableReferences(references, setAside, instrument.kind);
}

/**
 * The close of a session, as history stores it. That of a followed session is one of the followed service, which
 * may correct it.
 */
export function closeOf({ instrument, source }: Slot, session: LiveSession): SessionClose {
  const { sessionDate, last, volume, open, high, low } = session;
  return {
    ticker: instrument.ticker,
    close: {
      day: toEpochDay(sessionDate),
      close: last,
      volume,
      ...(open === undefined ? {} : { open }),
      ...(high === undefined ? {} : { high }),
      ...(low === undefined ? {} : { low }),
      source: source?.via ?? sessionSource(source?.name),
    },
  };
}
