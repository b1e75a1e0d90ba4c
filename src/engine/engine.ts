import type { DailyClose } from '../domain/daily-close.ts';
import { inputsOf } from '../domain/derivation.ts';
import { rulesOf } from '../domain/instrument.ts';
import type { Instrument } from '../domain/instrument.ts';
import { fromEpochDay, toEpochDay } from '../domain/plain-date.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import { makeQuote } from '../domain/quote.ts';
import type { Quote } from '../domain/quote.ts';
import { areSameReferences } from '../domain/reference-closes.ts';
import type { ReferenceCloses } from '../domain/reference-closes.ts';
import { roundHalfAwayFromZero } from '../domain/rounding.ts';
import type { LiveSession, StoredQuote } from '../domain/stored-quote.ts';
import type { Ticker } from '../domain/ticker.ts';
import type { DerivedInstrument, Universe } from '../domain/universe.ts';
import type { Update } from '../domain/update.ts';
import { derive } from './derive.ts';
import { beginSession, foldClose, foldUpdate } from './fold.ts';
import { implausibility } from './plausibility.ts';
import type { RefusalReason } from './plausibility.ts';
import { makeSlots, referencesAfter, sessionAfterHistory, sessionWithinHours } from './slot.ts';
import type { Slot } from './slot.ts';

/** What became of one update. */
export type Outcome =
  | 'accepted'
  /** It said nothing new. */
  | 'unchanged'
  /** It is of a session that is over: the quote is never touched by one. */
  | 'earlier-session'
  /** It lies outside the hours of its market, and carries no close: nothing is touched by it. */
  | 'off-hours'
  | { readonly refused: RefusalReason };

/** The close of one session, to be kept. */
export interface SessionClose {
  readonly ticker: Ticker;
  readonly close: DailyClose;
}

/** What one turn of the engine made. To be kept together or not at all. */
export interface Turn {
  /** The new quotes, at most one an instrument, of rising versions. */
  readonly quotes: readonly Quote[];
  /** What to keep of each instrument that changed, its history apart. */
  readonly stored: readonly StoredQuote[];
  /** The closes that ended sessions leave to history. */
  readonly closes: readonly SessionClose[];
}

/** What history says of one instrument. */
export interface HistoryFacts {
  readonly ticker: Ticker;
  /** {@link Engine.closesGiven} before history was asked; it has all of those. */
  readonly closesGiven: number;
  /** Its last close; absent without history. */
  readonly latest?: DailyClose | undefined;
  /** The session that the references are of: see {@link Engine.referenceSession}. */
  readonly sessionDate: PlainDate;
  readonly references: ReferenceCloses;
}

/**
 * The writer: folds updates into quotes across sessions, keeps the reference closes, and computes
 * derived instruments. The only one that makes quotes.
 *
 * An update outside the hours of its market, the settle delay after the close included, changes
 * nothing but the official close, if it carries one (docs/decisions/0003).
 *
 * Pure: it holds state in memory and does no I/O, and time comes with each call. A service restores
 * it from what was stored, tells it what history says, and then hands it batches of updates; each
 * call gives one {@link Turn}, which is to be made durable as a whole before anybody sees it.
 */
export class Engine {
  readonly universe: Universe;
  readonly #settleDelayMs: number;
  readonly #isAlwaysOpen: boolean;
  readonly #slots: readonly Slot[];
  #nextVersion: number;
  /** What this turn has changed so far. */
  #changed: Slot[] = [];
  #closes: SessionClose[] = [];

  constructor(
    universe: Universe,
    options: {
      /** How long after a market's closing time its session enters history (decisions row 15). */
      readonly settleDelayMs: number;
      /** The first version to give; above every version that was ever shown. */
      readonly nextVersion: number;
      /**
       * Whether quotes move outside the hours of their markets too, for a simulation. Such an update
       * belongs to the last session that opened, and changes no close that is in history.
       */
      readonly isAlwaysOpen?: boolean;
    },
  ) {
    this.universe = universe;
    this.#settleDelayMs = options.settleDelayMs;
    this.#isAlwaysOpen = options.isAlwaysOpen ?? false;
    this.#nextVersion = options.nextVersion;
    this.#slots = makeSlots(universe);
  }

  /**
   * Takes back what was stored before a restart, under the versions it was shown with. What the
   * universe no longer holds is left out. An instant outside its session, which earlier versions of
   * this program stored, is moved into it: that makes a new version in the next turn.
   */
  restore(stored: readonly StoredQuote[]): void {
    for (const { ticker, version, session, references } of stored) {
      this.#nextVersion = Math.max(this.#nextVersion, version + 1);
      const slot = this.#find(ticker);
      if (slot === undefined) continue;
      slot.references = references;
      slot.quote = quoteOf(slot, session, version);
      slot.session = session;
      if (this.#isAlwaysOpen) continue;
      const within = sessionWithinHours(session, slot.calendar, this.#settleDelayMs);
      if (within !== session) this.#change(slot, within);
    }
  }

  /** The latest quote of every instrument that has one. */
  quotes(): readonly Quote[] {
    return this.#slots.flatMap(({ quote }) => (quote === undefined ? [] : [quote]));
  }

  /**
   * The session whose reference closes the engine needs of an instrument, given its last close in
   * history; undefined when it has neither a session nor a close.
   */
  referenceSession(ticker: Ticker, latest: DailyClose | undefined): PlainDate | undefined {
    const held = this.#find(ticker)?.session?.sessionDate;
    const inHistory = latest === undefined ? undefined : fromEpochDay(latest.day);
    if (held === undefined || inHistory === undefined) return held ?? inHistory;
    return inHistory > held ? inHistory : held;
  }

  /** How many closes of an instrument this engine has handed over. */
  closesGiven(ticker: Ticker): number {
    return this.#find(ticker)?.closesGiven ?? 0;
  }

  /** The close of an instrument's session as it stands, while history does not have it. */
  pendingClose(ticker: Ticker): SessionClose | undefined {
    const slot = this.#find(ticker);
    if (slot?.session === undefined || slot.session.isInHistory) return undefined;
    return closeOf(slot.instrument, slot.session);
  }

  /**
   * Takes what history says: the references, and a close that is of a later session than the quote,
   * or that corrects it. Until a feed speaks, this is where quotes come from. An instrument whose
   * session is another than the facts are of (it rolled meanwhile), or whose close was handed over
   * since they were read (they may show the one before), is left as it is, and named in `stale` so
   * that the caller asks history again.
   */
  adoptHistory(facts: readonly HistoryFacts[]): Turn & { readonly stale: readonly Ticker[] } {
    const stale: Ticker[] = [];
    const changed = new Set<Ticker>();
    for (const fact of facts) {
      const slot = this.#find(fact.ticker);
      if (slot === undefined) continue;
      const isOther = this.referenceSession(fact.ticker, fact.latest) !== fact.sessionDate;
      if (isOther || slot.closesGiven !== fact.closesGiven) {
        stale.push(fact.ticker);
        continue;
      }
      this.#adoptReferences(slot, fact.references);
      const session = sessionAfterHistory(slot.session, fact.latest);
      if (session === undefined || session === slot.session) continue;
      this.#change(slot, session);
      changed.add(slot.instrument.ticker);
    }
    // After all facts, not within: a fact may correct several inputs of one derived instrument.
    for (const one of this.universe.derived) this.#deriveAfterHistory(one, changed);
    return { ...this.#endTurn(), stale };
  }

  /** Folds updates in order; the outcomes are in the same order. */
  apply(updates: readonly Update[], now: number): Turn & { readonly outcomes: readonly Outcome[] } {
    const outcomes = updates.map((update) => this.#applyOne(update, now));
    return { ...this.#endTurn(), outcomes };
  }

  /** Hands over the closes of the sessions that have ended and settled by now. */
  settle(now: number): Turn {
    for (const slot of this.#slots) {
      const { session, calendar } = slot;
      if (session === undefined || session.isInHistory) continue;
      if (calendar.closesAt(session.sessionDate) + this.#settleDelayMs > now) continue;
      this.#giveClose(slot, session);
      // Stored, not quoted: what the quote shows has not changed.
      slot.session = { ...session, isInHistory: true, historyClose: session.last };
      this.#markChanged(slot);
    }
    return this.#endTurn();
  }

  #applyOne(update: Update, now: number): Outcome {
    const slot = this.#find(update.ticker);
    if (slot === undefined) return { refused: 'unknown-ticker' };
    if (slot.isDerived) return { refused: 'derived' };
    const refused = implausibility(update, rulesOf(slot.instrument), now);
    if (refused !== undefined) return { refused };
    const outcome = this.#fold(slot, update);
    if (outcome === 'accepted') for (const one of slot.dependents) this.#derive(one);
    return outcome;
  }

  /** Folds an update into the session of its instant, as far as that session's hours allow. */
  #fold(slot: Slot, update: Update): Outcome {
    const { session, calendar } = slot;
    const { at, close } = update;
    const rules = rulesOf(slot.instrument);
    const isOffHours = !calendar.isWithinSession(at, this.#settleDelayMs);
    const isCloseOnly = isOffHours && !this.#isAlwaysOpen;
    if (isCloseOnly && close === undefined) return 'off-hours';
    const sessionDate = calendar.sessionAt(at);
    if (session !== undefined && sessionDate < session.sessionDate) return 'earlier-session';
    const held = session?.sessionDate === sessionDate ? session : undefined;
    const counted =
      isCloseOnly && close !== undefined
        ? { ticker: update.ticker, at: calendar.lastInstantOf(sessionDate), close }
        : update;
    const traded =
      held === undefined
        ? beginSession(sessionDate, counted, rules)
        : foldUpdate(held, counted, rules);
    if (traded === undefined) return { refused: 'no-last' };
    const folded = close === undefined ? traded : foldClose(traded, { close, at });
    if (folded === held) return 'unchanged';
    if (held === undefined && session !== undefined) this.#leaveSession(slot, session, sessionDate);
    // Only a simulation moves the price of a session after its close: history keeps that close.
    const isSettled = isOffHours && close === undefined && held?.isInHistory === true;
    this.#change(slot, isSettled ? { ...folded, isInHistory: true } : folded);
    return 'accepted';
  }

  /** Ends a session because a later one begins: its close goes to history and into the references. */
  #leaveSession(slot: Slot, session: LiveSession, next: PlainDate): void {
    if (!session.isInHistory) this.#giveClose(slot, session);
    slot.references = referencesAfter(session, slot.references, next);
  }

  #giveClose(slot: Slot, session: LiveSession): void {
    this.#closes.push(closeOf(slot.instrument, session));
    slot.closesGiven += 1;
  }

  /**
   * Derives anew once history has spoken, and adds to `changed` what became another. What history says
   * of a derived instrument itself stands until an input changes: an import is not computed away.
   */
  #deriveAfterHistory(one: DerivedInstrument, changed: Set<Ticker>): void {
    const { ticker } = one.instrument;
    if (changed.has(ticker)) return;
    const slot = this.#slotOf(one.instrument);
    const before = slot.session;
    const hasNewInput = inputsOf(one.derivation).some((input) => changed.has(input));
    if (before?.isInHistory === true && !hasNewInput) {
      const value = derive(one.derivation, this.#sessionOf);
      if (value?.sessionDate === before.sessionDate) return;
    }
    this.#derive(one);
    if (slot.session !== before) changed.add(ticker);
  }

  /**
   * Folds a derived instrument's value into the session of its own market, as of the instant of its
   * inputs. Closes alone derive nothing: without a feed, a derived instrument has its own closes.
   */
  #derive({ instrument, derivation }: DerivedInstrument): void {
    const value = derive(derivation, this.#sessionOf);
    if (value?.asOf === undefined) return;
    const last = roundHalfAwayFromZero(value.last, instrument.decimals);
    if (rulesOf(instrument).isPrice && last <= 0) return;
    this.#fold(this.#slotOf(instrument), { ticker: instrument.ticker, at: value.asOf, last });
  }

  readonly #sessionOf = (ticker: Ticker): LiveSession | undefined => this.#find(ticker)?.session;

  #adoptReferences(slot: Slot, references: ReferenceCloses): void {
    if (areSameReferences(slot.references, references)) return;
    slot.references = references;
    if (slot.session === undefined) return;
    slot.needsQuote = true;
    this.#markChanged(slot);
  }

  #change(slot: Slot, session: LiveSession): void {
    slot.session = session;
    slot.needsQuote = true;
    this.#markChanged(slot);
  }

  #markChanged(slot: Slot): void {
    if (slot.needsStore) return;
    slot.needsStore = true;
    this.#changed.push(slot);
  }

  #endTurn(): Turn {
    const quotes: Quote[] = [];
    const stored: StoredQuote[] = [];
    for (const slot of this.#changed) {
      const { session, instrument, references } = slot;
      slot.needsStore = false;
      if (session === undefined) continue;
      if (slot.needsQuote || slot.quote === undefined) {
        slot.quote = quoteOf(slot, session, this.#nextVersion);
        this.#nextVersion += 1;
        slot.needsQuote = false;
        quotes.push(slot.quote);
      }
      stored.push({ ticker: instrument.ticker, version: slot.quote.version, session, references });
    }
    const closes = this.#closes;
    this.#changed = [];
    this.#closes = [];
    return { quotes, stored, closes };
  }

  #find(ticker: Ticker): Slot | undefined {
    const instrument = this.universe.find(ticker);
    return instrument === undefined ? undefined : this.#slots[instrument.position];
  }

  #slotOf(instrument: Instrument): Slot {
    const slot = this.#slots[instrument.position];
    if (slot === undefined) throw new Error(`no slot for ${instrument.ticker}`);
    return slot;
  }
}

function quoteOf({ instrument, references }: Slot, session: LiveSession, version: number): Quote {
  return makeQuote(instrument, {
    version,
    session,
    references,
    sourcePreviousClose: session.sourcePreviousClose,
  });
}

function closeOf(instrument: Instrument, session: LiveSession): SessionClose {
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
    },
  };
}
