import { isFactorAction } from '../domain/history/corporate-action.ts';
import type { CorporateActions } from '../domain/history/corporate-actions.ts';
import type { DailyClose } from '../domain/history/daily-close.ts';
import { inputsOf, type Derivation } from '../domain/instruments/derivation.ts';
import { repeats, type BarOfDay } from '../domain/history/judge/judge.ts';
import { rulesOf, type Instrument } from '../domain/instruments/instrument.ts';
import { makeLiveBar, type TickerBar } from '../domain/quotes/minute-bar.ts';
import {
  fromEpochDay,
  msPerDay,
  toEpochDay,
  type PlainDate,
} from '../domain/calendar/plain-date.ts';
import type { Quote, QuoteSource } from '../domain/quotes/quote.ts';
import {
  areSameReferences,
  onBasisOf,
  type ReferenceCloses,
} from '../domain/history/reference-closes.ts';
import type { SetAsideBase } from '../domain/quotes/set-aside-base.ts';
import { roundHalfAwayFromZero, roundPrice } from '../domain/values/rounding.ts';
import type { FollowedQuote } from '../domain/quotes/followed-quote.ts';
import type { LiveSession, StoredQuote } from '../domain/quotes/stored-quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { DerivedInstrument, Universe } from '../domain/instruments/universe.ts';
import { hasBook, hasPrices, type Update } from '../domain/quotes/update.ts';
import { adoptedBar } from './adopt-bar.ts';
import { adoptedSession, closedAs, isOverruledIn, showsSamePlain } from './adopt-quote.ts';
import { BaseWatch, type CloseNow } from './base-watch.ts';
import { readBook, withBook } from './book.ts';
import { quoteSourceOf, type ReportSource } from './doubted-updates.ts';
import type { JudgedPrice } from './judged-price.ts';
import { LiveJudge } from './live-judge.ts';
import { levelAtRestart } from './lone-level.ts';
import { derive } from './derive.ts';
import { foldBar } from './fold-bar.ts';
import { asOfInputs, beginSession, foldClose, foldUpdate, givesLast } from './fold.ts';
import { implausibility, type RefusalReason } from './plausibility.ts';
import {
  makeSlots,
  referencesAfter,
  sessionAfterHistory,
  sessionWithinHours,
  type LoneLevel,
  type Slot,
} from './slot.ts';
import {
  ChangeSetBuilder,
  closeOf,
  quoteOf,
  type SessionClose,
  type ChangeSet,
} from './change-set.ts';

/** The result of one update. */
export type Outcome =
  | 'accepted'
  /** The update repeats known values. */
  | 'unchanged'
  /** The update is of a session that is over. It does not change the quote. */
  | 'earlier-session'
  /** The update is outside the hours of its market and carries no close. It changes nothing. */
  | 'off-hours'
  /** The update has only a book, and its session has no price yet. It changes nothing. */
  | 'no-price-yet'
  /** The price moved too far within its session. It waits for others that agree. */
  | 'held'
  /** The update repeats price, range and volume of the session before. It begins no session. */
  | 'repeated-session'
  | {
      readonly refused: RefusalReason;
      /**
       * The update was folded without this part: the prices of the session that are too far from the last one, or the
       * fields of its book that cannot be true. Absent where it was refused as a whole.
       */
      readonly part?: 'range' | 'book';
    };

/** What history contains about one instrument. */
export interface HistoryFacts {
  readonly ticker: Ticker;
  /** {@link Engine.closesReturned} as it was before history was read. History has all those closes. */
  readonly closesReturned: number;
  /** The last close in history; absent without history. */
  readonly latest?: DailyClose | undefined;
  /** The session that the references belong to: see {@link Engine.referenceSession}. */
  readonly sessionDate: PlainDate;
  readonly references: ReferenceCloses;
  /** The close of the day that {@link Engine.setAsideOf} names, as history has it now. */
  readonly setAside?: CloseNow | undefined;
}

/**
 * The writer. It folds updates into quotes across sessions, maintains the reference closes, and
 * computes derived instruments. Only the engine creates new quotes.
 *
 * An update outside the hours of its market, which end a settle delay after the close, changes
 * nothing but the official close, if it carries one (docs/decisions/0003).
 *
 * Lifecycle: a service restores the stored quotes, passes in the corporate actions and what history
 * contains, and then passes in batches of updates. Each call returns one {@link ChangeSet}, which must be
 * durable as a whole before any reader sees it (docs/decisions/0002). The engine is pure: its state is in
 * memory, it does no I/O, and every call receives the time as an argument.
 */
export class Engine {
  readonly universe: Universe;
  readonly #settleDelayMs: number;
  readonly #recordsBars: boolean;
  readonly #bases: BaseWatch;
  readonly #liveJudge: LiveJudge;
  readonly #slots: readonly Slot[];
  readonly #changes: ChangeSetBuilder;
  /** The instruments to derive at the end of the batch under way of each source. */
  readonly #awaited = new Map<string | undefined, Set<DerivedInstrument>>();

  constructor(
    universe: Universe,
    {
      settleDelayMs,
      nextVersion,
      recordsBars = false,
      onJudged = () => undefined,
      firstPriceAgeMs = 30 * msPerDay,
    }: {
      /** Time between a market's close and the session entering history (contract 2.6.4). */
      readonly settleDelayMs: number;
      /** The first version to assign. Greater than every version ever shown. */
      readonly nextVersion: number;
      /** Whether the prices of each minute are returned as bars. */
      readonly recordsBars?: boolean;
      /** Maximum age of the first price of a session. The default is 30 days. */
      readonly firstPriceAgeMs?: number | undefined;
      /** Receives what was decided about prices that are not usual. By default nothing does. */
      readonly onJudged?: ((judged: JudgedPrice) => void) | undefined;
    },
  ) {
    this.universe = universe;
    this.#settleDelayMs = settleDelayMs;
    this.#recordsBars = recordsBars;
    this.#bases = new BaseWatch(onJudged);
    this.#liveJudge = new LiveJudge({ bases: this.#bases, onJudged, firstPriceAgeMs });
    this.#changes = new ChangeSetBuilder(nextVersion);
    this.#slots = makeSlots(universe);
  }

  /**
   * Restores the quotes stored before a restart, under their versions. Instruments that are no
   * longer in the universe are skipped. Earlier releases could store an instant outside its
   * session: it is moved into the session, and the next call returns the quote under a new version.
   */
  restore(stored: readonly StoredQuote[]): void {
    for (const one of stored) {
      const { ticker, version, plainVersion, session, references, source, bar } = one;
      this.#changes.continueAfter(version);
      const slot = this.#find(ticker);
      if (slot === undefined) continue;
      slot.references = references;
      slot.setAside = one.setAside;
      slot.source = source;
      slot.bar = this.#recordsBars ? bar : undefined;
      slot.quote = quoteOf(slot, session, version, plainVersion);
      slot.session = session;
      slot.lone = levelAtRestart(slot, session);
      const within = sessionWithinHours(session, slot.calendar, this.#settleDelayMs);
      if (within !== session) this.#changes.change(slot, within);
    }
  }

  /** The latest quote of every instrument that has one. */
  quotes(): readonly Quote[] {
    return this.#slots.flatMap(({ quote }) => (quote === undefined ? [] : [quote]));
  }

  /**
   * The session for which the engine needs an instrument's reference closes, given its last close
   * in history. Undefined when there is neither a session nor a close.
   */
  referenceSession(ticker: Ticker, latest: DailyClose | undefined): PlainDate | undefined {
    const held = this.#find(ticker)?.session?.sessionDate;
    const inHistory = latest === undefined ? undefined : fromEpochDay(latest.day);
    if (held === undefined || inHistory === undefined) return held ?? inHistory;
    return inHistory > held ? inHistory : held;
  }

  /** The close of an instrument that its prices contradict, or undefined. */
  setAsideOf(ticker: Ticker): SetAsideBase | undefined {
    return this.#find(ticker)?.setAside;
  }

  /** The number of an instrument's closes that this engine has returned for history. */
  closesReturned(ticker: Ticker): number {
    return this.#find(ticker)?.closesReturned ?? 0;
  }

  /** The close of an instrument's current session, or undefined when history already has it. */
  pendingClose(ticker: Ticker): SessionClose | undefined {
    const slot = this.#find(ticker);
    if (slot?.session === undefined || slot.session.isInHistory) return undefined;
    return closeOf(slot, slot.session);
  }

  /**
   * Adopts the reference closes from history, and a close of a later session than the quote's or
   * one that corrects it. Before any source sends an update, quotes come from here.
   *
   * The facts of an instrument are ignored when its session has changed since they were read, or
   * when a close was returned for history since (the facts may still show the close before it).
   * Such instruments are listed in `stale`, so that the caller reads their history again.
   */
  adoptHistory(facts: readonly HistoryFacts[]): ChangeSet & { readonly stale: readonly Ticker[] } {
    const stale: Ticker[] = [];
    const changed = new Set<Ticker>();
    for (const fact of facts) {
      const slot = this.#find(fact.ticker);
      if (slot === undefined) continue;
      const isOther = this.referenceSession(fact.ticker, fact.latest) !== fact.sessionDate;
      if (isOther || slot.closesReturned !== fact.closesReturned) {
        stale.push(fact.ticker);
        continue;
      }
      this.#adoptReferences(slot, fact);
      const session = sessionAfterHistory(slot.session, fact.latest);
      if (session === undefined || session === slot.session) continue;
      slot.source = undefined;
      slot.lone = undefined;
      this.#changes.change(slot, session);
      changed.add(slot.instrument.ticker);
    }
    // After all facts: they may correct several inputs of one derived instrument.
    for (const one of this.universe.derived) this.#deriveAfterHistory(one, changed);
    return { ...this.#changes.end(), stale };
  }

  /**
   * Adopts the corporate actions of these instruments. Quotes whose reference closes they move to
   * another basis are returned under new versions.
   */
  adoptActions(actions: CorporateActions, tickers: Iterable<Ticker>): ChangeSet {
    for (const ticker of tickers) {
      const slot = this.#find(ticker);
      if (slot === undefined) continue;
      slot.factorActions = actions.of(ticker).filter(isFactorAction);
      const { session, references } = slot;
      if (session === undefined) continue;
      this.#adoptReferences(slot, { references, sessionDate: session.sessionDate });
    }
    return this.#changes.end();
  }

  /**
   * Folds updates in order. The outcomes are in the same order. An instrument that is derived from several
   * others is computed once, after the last update: between two of them, its inputs are not of one time.
   *
   * @param source the source of the updates. The quotes that they change carry it.
   * @param bars those of a followed service, adopted after the updates. Ascending for each instrument.
   * @param isContinued whether the next call for this source has further updates of the same batch
   */
  apply(
    updates: readonly Update[],
    now: number,
    source?: ReportSource,
    {
      bars = [],
      isContinued = false,
    }: { readonly bars?: readonly TickerBar[]; readonly isContinued?: boolean } = {},
  ): ChangeSet & { readonly outcomes: readonly Outcome[] } {
    const awaited = this.#awaited.getOrInsertComputed(source?.name, () => new Set());
    const of = { now, source, awaited };
    const outcomes = updates.map((update) => this.#applyOne(update, of));
    if (!isContinued) this.#deriveAwaited(awaited, this.universe.derived);
    for (const one of bars) this.#adoptBar(one, source);
    return { ...this.#changes.end(), outcomes };
  }

  /**
   * Returns the closes of the sessions whose settle delay is over, and their last bars. A further price
   * of such a session changes its last bar, which is then returned again.
   */
  settle(now: number): ChangeSet {
    for (const slot of this.#slots) {
      const { session, calendar } = slot;
      if (session === undefined || session.isInHistory) continue;
      if (calendar.closesAt(session.sessionDate) + this.#settleDelayMs > now) continue;
      this.#changes.returnClose(slot, session);
      // The session is stored without a new quote, because what the quote shows has not changed.
      slot.session = { ...session, isInHistory: true, historyClose: session.last };
      this.#changes.recordBar(slot);
      if (slot.bar !== undefined) slot.bar = makeLiveBar({ ...slot.bar, isRecorded: true });
      this.#changes.markChanged(slot);
    }
    return this.#changes.end();
  }

  #applyOne(
    update: Update,
    {
      now,
      source,
      awaited,
    }: {
      readonly now: number;
      readonly source: ReportSource | undefined;
      readonly awaited: Set<DerivedInstrument>;
    },
  ): Outcome {
    const slot = this.#find(update.ticker);
    if (slot === undefined) return { refused: 'unknown-ticker' };
    const { followed } = update;
    if (slot.isDerived && followed === undefined) return { refused: 'derived' };
    const refused = implausibility(update, rulesOf(slot.instrument), now);
    if (refused !== undefined) return { refused };
    const before = slot.session;
    const outcome =
      followed === undefined
        ? this.#judge(slot, update, { source, now })
        : this.#adopt(slot, { update, followed }, source);
    if (slot.session === before) return outcome;
    const isPriced = hasPrices(update);
    // Only an alias has the book of its input.
    for (const one of slot.followers) {
      if (isPriced || one.derivation.type === 'alias') this.#derive(one);
    }
    if (isPriced) for (const one of slot.joint) awaited.add(one);
    return outcome;
  }

  /** Folds an update if its price is believed, together with those that it confirms. */
  #judge(
    slot: Slot,
    update: Update,
    { source, now }: { readonly source: ReportSource | undefined; readonly now: number },
  ): Outcome {
    const place = this.#placeOf(slot, update);
    if (typeof place === 'string') return place;
    const { sessionDate, isCloseOnly } = place;
    const said = isCloseOnly ? closeOnly(update) : update;
    const decision = this.#liveJudge.decide(slot, said, { sessionDate, source, now });
    if (decision === 'held' || 'refused' in decision) return decision;
    let { beginsAgain } = decision;
    if (beginsAgain) this.#taintDerived(slot, sessionDate);
    for (const one of decision.confirmed) {
      // It may have waited within the hours for the official close after them.
      const its = this.#placeOf(slot, one.update);
      if (typeof its === 'string') continue;
      this.#fold(slot, one.update, { source: quoteSourceOf(one.source), place: its, beginsAgain });
      beginsAgain = false;
    }
    const by = { source: quoteSourceOf(source), place, beginsAgain };
    const outcome = this.#fold(slot, decision.update, by);
    const { report } = decision;
    const hasNewMark = report !== undefined && this.#bases.review(slot, report);
    if (hasNewMark && slot.session !== undefined) this.#changes.change(slot, slot.session);
    const isFolded = outcome === 'accepted' || outcome === 'unchanged';
    return decision.isCut && isFolded ? { refused: 'implausible', part: 'range' } : outcome;
  }

  /**
   * Adopts the quote of a followed service as it is. The service has judged its prices, and they must not wait
   * here for further witnesses, of which some may have been conflated. It is refused only where it would go back in
   * time, or is of another session by the calendar here.
   */
  #adopt(
    slot: Slot,
    { update, followed }: { readonly update: Update; readonly followed: FollowedQuote },
    by: ReportSource | undefined,
  ): Outcome {
    const { session, calendar, instrument } = slot;
    const { sessionDate, changes } = followed;
    if (session !== undefined && sessionDate < session.sessionDate) return 'earlier-session';
    if (calendar.sessionAt(update.at) !== sessionDate) return 'off-hours';
    const held = session?.sessionDate === sessionDate ? session : undefined;
    const adopted = adoptedSession(held, { update, followed }, rulesOf(instrument));
    if (adopted === undefined) return held === undefined ? { refused: 'no-last' } : 'unchanged';
    if (held === undefined && session !== undefined) {
      const isNext = calendar.nextSession(session.sessionDate) === sessionDate;
      const isSameBasis =
        isNext && slot.source?.via === by?.name && !hasActionOn(slot, sessionDate);
      const ended = isSameBasis ? closedAs(session, changes.previousClose) : session;
      this.#endSession(slot, ended, sessionDate);
    }
    const isMoved = held === undefined || !showsSamePlain(held, adopted);
    slot.lone = undefined;
    if (slot.bar !== undefined && isOverruledIn(adopted, slot.bar, instrument.kind)) {
      slot.bar = undefined;
    }
    if (isMoved) this.#changes.change(slot, adopted);
    const hasNewBook = !isMoved && this.#changes.changeBook(slot, held, adopted);
    const hasNewSource = this.#changes.changeSource(slot, { ...followed.source, via: by?.name });
    return isMoved || hasNewBook || hasNewSource ? 'accepted' : 'unchanged';
  }

  /**
   * Adopts a bar of a followed service, for an instrument whose price is from there: its bars have every price.
   * A bar of an earlier minute than the one under way goes straight to the history of bars.
   */
  #adoptBar({ ticker, bar }: TickerBar, by: ReportSource | undefined): void {
    const slot = this.#find(ticker);
    if (!this.#recordsBars || slot?.session === undefined || slot.source?.via === undefined) return;
    if (slot.source.via !== by?.name) return;
    if (slot.bar !== undefined && bar.minute < slot.bar.minute) this.#changes.addBar(ticker, bar);
    else this.#changes.adoptBar(slot, adoptedBar(slot.bar, bar, slot.session));
  }

  /** Where an update belongs, or the outcome of one that belongs nowhere. */
  #placeOf(
    { calendar, session }: Slot,
    { at, close }: Update,
  ): Place | 'off-hours' | 'earlier-session' {
    const isCloseOnly = !calendar.isWithinSession(at, this.#settleDelayMs);
    if (isCloseOnly && close === undefined) return 'off-hours';
    const sessionDate = calendar.sessionAt(at);
    if (session !== undefined && sessionDate < session.sessionDate) return 'earlier-session';
    return { sessionDate, isCloseOnly };
  }

  /** Folds an update into the session of its instant, as far as the session's hours permit. */
  #fold(
    slot: Slot,
    update: Update,
    {
      source,
      place: { sessionDate, isCloseOnly },
      beginsAgain,
      asOf,
    }: {
      readonly source: QuoteSource | undefined;
      readonly place: Place;
      /** Whether the update takes the place of everything that the session has shown. */
      readonly beginsAgain: boolean;
      /** The instant that the session shows. By default, that of the update. */
      readonly asOf?: number | undefined;
    },
  ): Outcome {
    const { session, calendar } = slot;
    const { at, close } = update;
    const rules = rulesOf(slot.instrument);
    const { isPrice } = rules;
    const held = session?.sessionDate === sessionDate ? session : undefined;
    const counted =
      isCloseOnly && close !== undefined
        ? { ticker: update.ticker, at: calendar.lastInstantOf(sessionDate), close }
        : update;
    const continued = beginsAgain ? undefined : held;
    const begun =
      continued === undefined
        ? beginSession(sessionDate, counted, rules, held)
        : foldUpdate(continued, counted, rules);
    const traded = begun && asOf !== undefined ? asOfInputs(continued, begun, asOf) : begun;
    if (traded === undefined) return hasPrices(update) ? { refused: 'no-last' } : 'no-price-yet';
    if (held === undefined && repeatsSession(update, traded, session)) return 'repeated-session';
    const priced = close === undefined ? traded : foldClose(traded, { close, at });
    const isMoved = priced !== held;
    const isReported = !isCloseOnly && hasBook(update);
    const report = isReported ? readBook(update, { isPrice, last: priced.last }) : undefined;
    const isItsPrice = isMoved && givesLast(counted, { before: continued, after: priced });
    const isOtherSource = isItsPrice && isReplaced(slot.source, source);
    const withReported = withBook(priced, isOtherSource ? undefined : priced.book, report);
    // From the first price of another source on, the changes are computed here.
    const folded = isItsPrice ? withoutShown(withReported) : withReported;
    const isOverruled = beginsAgain && slot.bar?.day === toEpochDay(sessionDate);
    const overruled = isOverruled ? slot.bar : undefined;
    if (isOverruled) slot.bar = undefined;
    const hasBars = slot.lone?.hasBars !== false;
    const isBarred = this.#recordsBars && hasBars && !isCloseOnly && hasPrices(update);
    const change = { held: continued, session: traded, overruled };
    const bar = isBarred ? foldBar(slot.bar, update, change) : slot.bar;
    if (isMoved) {
      if (held === undefined && session !== undefined) this.#endSession(slot, session, sessionDate);
      if (isItsPrice) slot.source = source;
      this.#changes.change(slot, folded);
    }
    const hasNewBar = this.#changes.changeBar(slot, bar);
    const hasNewBook = !isMoved && this.#changes.changeBook(slot, held, folded);
    if (report?.refused !== undefined) return { refused: report.refused, part: 'book' };
    return isMoved || hasNewBar || hasNewBook ? 'accepted' : 'unchanged';
  }

  /** Ends a session when a later one begins. Its close goes to history and becomes a reference. */
  #endSession(slot: Slot, session: LiveSession, next: PlainDate): void {
    for (const awaited of this.#awaited.values()) this.#deriveAwaited(awaited, slot.joint);
    if (!session.isInHistory) this.#changes.returnClose(slot, session);
    const references = referencesAfter(session, slot.references, next);
    slot.references = onBasisOf(references, slot.factorActions, next);
  }

  /**
   * Recomputes a derived instrument after history was adopted, and adds it to `changed` if its
   * value changed. A close that was imported for the derived instrument itself is kept until one of
   * its inputs changes.
   */
  #deriveAfterHistory(one: DerivedInstrument, changed: Set<Ticker>): void {
    const { ticker } = one.instrument;
    if (changed.has(ticker)) return;
    const slot = this.#slotOf(one.instrument);
    const before = slot.session;
    const hasNewInput = inputsOf(one.derivation).some((input) => changed.has(input));
    if (before?.isInHistory === true && !hasNewInput) {
      const value = derive(one.derivation, this.#slotOfTicker);
      if (value?.sessionDate === before.sessionDate) return;
    }
    this.#derive(one);
    if (slot.session !== before) changed.add(ticker);
  }

  /** Computes those of these instruments whose inputs have changed in a batch. */
  #deriveAwaited(awaited: Set<DerivedInstrument>, due: readonly DerivedInstrument[]): void {
    if (awaited.size === 0) return;
    for (const one of due) if (awaited.delete(one)) this.#derive(one);
  }

  /** Lets the sessions of instruments that are derived from prices which are overruled begin again. */
  #taintDerived({ followers, joint }: Slot, sessionDate: PlainDate): void {
    for (const { instrument } of [...followers, ...joint]) {
      const slot = this.#slotOf(instrument);
      slot.isTainted = slot.session?.sessionDate === sessionDate;
    }
  }

  /**
   * Folds the value of a derived instrument into the session of its own market, at the instant of the latest of
   * its inputs. The session is as of the older one. Inputs that have only a close derive nothing: without a source, a derived
   * instrument shows its own closes.
   */
  #derive({ instrument, derivation }: DerivedInstrument): void {
    if (this.#isFollowed(instrument, derivation)) return;
    const value = derive(derivation, this.#slotOfTicker);
    if (value?.at === undefined) return;
    const { isPrice } = rulesOf(instrument);
    const last = (isPrice ? roundPrice : roundHalfAwayFromZero)(value.last, instrument.decimals);
    if (isPrice && last <= 0) return;
    const update = { ticker: instrument.ticker, at: value.at, last };
    const slot = this.#slotOf(instrument);
    const place = this.#placeOf(slot, update);
    if (typeof place === 'string') return;
    slot.lone = this.#loneLevelOf(derivation);
    const beginsAgain = slot.isTainted && slot.session?.sessionDate === place.sessionDate;
    slot.isTainted = false;
    slot.inputsAt = value.at;
    const source = this.#derivedSource(derivation);
    this.#fold(slot, update, { source, place, beginsAgain, asOf: value.asOf });
    if (source !== undefined) this.#changes.changeSource(slot, source);
    const { session } = slot;
    const hasNewMark = this.#bases.judgeDerived(slot, { price: last, at: value.at });
    if (hasNewMark && session !== undefined) this.#changes.change(slot, session);
    if (derivation.type === 'alias') this.#copyBook(slot, this.#find(derivation.source)?.session);
  }

  /**
   * Whether the value of a derived instrument is that of the service from which all of its inputs are. That one
   * has derived it from every price, of which some may have been conflated on the way.
   */
  #isFollowed(instrument: Instrument, derivation: Derivation): boolean {
    const via = this.#slotOf(instrument).source?.via;
    if (via === undefined) return false;
    return inputsOf(derivation).every((input) => this.#find(input)?.source?.via === via);
  }

  /** The level of an input which the close before it contradicts, so that its prices are in no bars. */
  #loneLevelOf(derivation: Derivation): LoneLevel | undefined {
    for (const input of inputsOf(derivation)) {
      const lone = this.#find(input)?.lone;
      if (lone?.hasBars === false) return lone;
    }
    return undefined;
  }

  /** Gives an alias the book of its instrument, if both are of the same session. */
  #copyBook(slot: Slot, source: LiveSession | undefined): void {
    const held = slot.session;
    if (held === undefined || source?.sessionDate !== held.sessionDate) return;
    this.#changes.changeBook(slot, held, withBook(held, source.book, undefined));
  }

  /**
   * A derived value is as late as the latest of its inputs, and has no source of its own. If the delay of
   * one input is not known, that of the value is not known either.
   */
  #derivedSource(derivation: Derivation): QuoteSource | undefined {
    const sources = inputsOf(derivation).flatMap((input) => this.#find(input)?.source ?? []);
    if (sources.length === 0) return undefined;
    const delays = sources.map(({ delayMinutes }) => delayMinutes ?? Number.NaN);
    const longest = Math.max(...delays);
    return Number.isNaN(longest) ? {} : { delayMinutes: longest };
  }

  readonly #slotOfTicker = (ticker: Ticker): Slot | undefined => this.#find(ticker);

  #adoptReferences(
    slot: Slot,
    facts: Pick<HistoryFacts, 'references' | 'sessionDate' | 'setAside'>,
  ): void {
    const references = onBasisOf(facts.references, slot.factorActions, facts.sessionDate);
    const isSame = areSameReferences(slot.references, references);
    slot.references = references;
    const before = slot.setAside;
    this.#bases.adopt(slot, { now: facts.setAside, sessionDate: facts.sessionDate });
    if (isSame && slot.setAside === before) return;
    if (slot.session === undefined) return;
    // The changes of a followed session do not follow from history.
    if (slot.session.shown === undefined) this.#changes.change(slot, slot.session);
    else this.#changes.markChanged(slot);
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

/** Where an update belongs. */
interface Place {
  readonly sessionDate: PlainDate;
  /** Whether only the official close of the update counts. */
  readonly isCloseOnly: boolean;
}

/**
 * Whether an update that would begin a session repeats the price, the range and the volume of the one
 * before: its source has stopped, and only its clock goes on.
 */
function repeatsSession(
  { high, low }: Update,
  begun: LiveSession,
  before: LiveSession | undefined,
): boolean {
  if (before === undefined || high === undefined || low === undefined) return false;
  return repeats(barOf(begun), barOf(before));
}

/** Whether an action changes the basis of prices with a session. */
function hasActionOn({ factorActions }: Slot, sessionDate: PlainDate): boolean {
  const day = toEpochDay(sessionDate);
  return factorActions.some(({ exDay }) => exDay === day);
}

/** A session whose changes are computed from history. */
function withoutShown(session: LiveSession): LiveSession {
  return session.shown === undefined ? session : { ...session, shown: undefined };
}

/** An update with only its official close: outside the hours the other fields are not used. */
function closeOnly({ ticker, at, close }: Update): Update {
  return { ticker, at, ...(close === undefined ? {} : { close }) };
}

/** A session as the judge reads it. */
function barOf(session: LiveSession): BarOfDay {
  return { ...session, day: toEpochDay(session.sessionDate), close: session.last };
}

/**
 * Whether another source gives the prices from now on. Undefined is unknown, as after an import: then
 * the source may be the same.
 */
function isReplaced(before: QuoteSource | undefined, now: QuoteSource | undefined): boolean {
  return before !== undefined && (before.name !== now?.name || before.via !== now?.via);
}
