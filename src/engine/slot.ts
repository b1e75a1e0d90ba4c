import type { FactorAction } from '../domain/history/corporate-action.ts';
import { priceOnBasisOf } from '../domain/history/corporate-actions.ts';
import type { DailyClose } from '../domain/history/daily-close.ts';
import type { Instrument } from '../domain/instruments/instrument.ts';
import {
  firstOfMonth,
  firstOfYear,
  fromEpochDay,
  toEpochDay,
  type PlainDate,
} from '../domain/calendar/plain-date.ts';
import { MarketCalendars } from '../domain/instruments/market-calendars.ts';
import type { LiveBar } from '../domain/quotes/minute-bar.ts';
import type { Quote, QuoteSource } from '../domain/quotes/quote.ts';
import {
  noReferences,
  type ReferenceClose,
  type ReferenceCloses,
} from '../domain/history/reference-closes.ts';
import type { Witness } from '../domain/history/judge/witness.ts';
import type { SetAsideBase } from '../domain/quotes/set-aside-base.ts';
import type { SessionCalendar } from '../domain/calendar/session-calendar.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import type { DerivedInstrument, Universe } from '../domain/instruments/universe.ts';
import { inputsOf } from '../domain/instruments/derivation.ts';
import { DoubtedUpdates } from './doubted-updates.ts';

/**
 * The first prices of a session, which nothing confirms yet: they are further from the previous close than a price may
 * move within a session, and too few to set the close aside. When other prices overrule them, the session starts anew,
 * and its range and its bars do not contain them.
 */
export interface LoneLevel {
  readonly reports: Witness[];
  /** Whether the prices are in bars. They are not if the close before them contradicts them. */
  readonly hasBars: boolean;
}

/** The engine's state of one instrument. */
export interface Slot {
  readonly instrument: Instrument;
  readonly calendar: SessionCalendar;
  /** Instruments derived from this one alone, which have each of its values. Inputs come first. */
  readonly followers: readonly DerivedInstrument[];
  /** Instruments derived from several, of which this is one: computed once for each batch. Inputs come first. */
  readonly joint: readonly DerivedInstrument[];
  readonly isDerived: boolean;
  session: LiveSession | undefined;
  /** The bar under way. */
  bar: LiveBar | undefined;
  /** From history, those that are set aside included. */
  references: ReferenceCloses;
  /** A close that the prices contradict. */
  setAside: SetAsideBase | undefined;
  /** The updates of the session `doubtedOn` whose prices are not believed yet. */
  readonly doubted: DoubtedUpdates;
  doubtedOn: PlainDate | undefined;
  /**
   * The believed prices that contradict the previous close, since the close changed. Undefined while there
   * is no contradiction.
   */
  contradictions: Witness[] | undefined;
  /** The prices of the session while nothing supports them. Of a derived instrument, those of an input. */
  lone: LoneLevel | undefined;
  /** Whether the session of a derived instrument rests on prices of an input that were overruled. */
  isTainted: boolean;
  /** Of a derived instrument, the latest instant of its inputs. Its session has that of the older one. */
  inputsAt: number | undefined;
  /** The actions that have a factor, ascending by ex date. */
  factorActions: readonly FactorAction[];
  /** The source of the last price of the session. */
  source: QuoteSource | undefined;
  /** The latest quote. Its version is the instrument's version. */
  quote: Quote | undefined;
  /** Number of closes returned for history. */
  closesReturned: number;
  /** Whether the current call has changed what the quote shows. */
  needsQuote: boolean;
  /** Whether the current call has changed what every client sees: more than the book. */
  needsPlainVersion: boolean;
  /** Whether the current call has changed what is stored. */
  needsStore: boolean;
}

/** An empty slot for each instrument, by position. Instruments of a market share its calendar. */
export function makeSlots(universe: Universe): readonly Slot[] {
  const calendars = new MarketCalendars(universe);
  const derived = new Set(universe.derived.map(({ instrument }) => instrument));
  return universe.instruments.map((instrument) => {
    return {
      instrument,
      calendar: calendars.of(instrument),
      ...dependentsOf(instrument, universe),
      isDerived: derived.has(instrument),
      session: undefined,
      bar: undefined,
      references: noReferences,
      setAside: undefined,
      doubted: new DoubtedUpdates(),
      doubtedOn: undefined,
      contradictions: undefined,
      lone: undefined,
      isTainted: false,
      inputsAt: undefined,
      factorActions: [],
      source: undefined,
      quote: undefined,
      closesReturned: 0,
      needsQuote: false,
      needsPlainVersion: false,
      needsStore: false,
    };
  });
}

/** All instruments derived from an instrument, directly or indirectly, in order of computation. */
function dependentsOf(
  { ticker }: Instrument,
  universe: Universe,
): Pick<Slot, 'followers' | 'joint'> {
  const followers: DerivedInstrument[] = [];
  const joint: DerivedInstrument[] = [];
  const [following, changed] = [new Set([ticker]), new Set([ticker])];
  for (const one of universe.derived) {
    const inputs = inputsOf(one.derivation);
    if (!inputs.some((input) => changed.has(input))) continue;
    changed.add(one.instrument.ticker);
    const isFollower = inputs.every((input) => following.has(input));
    if (isFollower) following.add(one.instrument.ticker);
    (isFollower ? followers : joint).push(one);
  }
  return { followers, joint };
}

/**
 * The session after adopting the latest close in history. A close of a later session begins that
 * session. A close of the current session corrects it, unless it is the close that the engine
 * itself wrote. An older close changes nothing.
 */
export function sessionAfterHistory(
  held: LiveSession | undefined,
  latest: DailyClose | undefined,
): LiveSession | undefined {
  if (latest === undefined) return held;
  const sessionDate = fromEpochDay(latest.day);
  if (held === undefined || sessionDate > held.sessionDate) {
    const { close, volume, open, high, low } = latest;
    return {
      sessionDate,
      last: close,
      open,
      high,
      low,
      volume,
      openAt: null,
      isInHistory: true,
      historyClose: close,
    };
  }
  if (sessionDate < held.sessionDate || latest.close === held.historyClose) return held;
  return {
    ...held,
    ...(held.shown === undefined ? {} : { shown: undefined }),
    last: latest.close,
    open: latest.open ?? held.open,
    high: latest.high ?? (held.high === undefined ? undefined : Math.max(held.high, latest.close)),
    low: latest.low ?? (held.low === undefined ? undefined : Math.min(held.low, latest.close)),
    volume: latest.volume ?? held.volume,
    isInHistory: true,
    historyClose: latest.close,
  };
}

/**
 * Moves the instant of a stored session into the session's hours. Returns the same object when it
 * is already within them.
 */
export function sessionWithinHours(
  session: LiveSession,
  calendar: SessionCalendar,
  settleDelayMs: number,
): LiveSession {
  const { asOf, sessionDate } = session;
  if (asOf === undefined) return session;
  const isOfSession = calendar.sessionAt(asOf) === sessionDate;
  if (isOfSession && calendar.isWithinSession(asOf, settleDelayMs)) return session;
  const notAfter = Math.min(asOf, calendar.lastInstantOf(sessionDate));
  return { ...session, asOf: Math.max(calendar.opensAt(sessionDate), notAfter) };
}

/**
 * The reference closes of the session that follows one. The close of the ended session, as history
 * has it, becomes the previous close, and at the start of a month or a year also its base.
 */
export function referencesAfter(
  session: LiveSession,
  { monthBase: heldMonthBase, yearBase: heldYearBase }: ReferenceCloses,
  next: PlainDate,
): ReferenceCloses {
  const { sessionDate } = session;
  const previous = closeToCompare(session);
  const monthBase = sessionDate < firstOfMonth(next) ? previous : heldMonthBase;
  const yearBase = sessionDate < firstOfYear(next) ? previous : heldYearBase;
  return {
    previous,
    ...(monthBase === undefined ? {} : { monthBase }),
    ...(yearBase === undefined ? {} : { yearBase }),
  };
}

/**
 * The close of the session before one, to judge its prices by. Undefined when there is none, or when it
 * is set aside or confirmed by the operator: then prices may be on any level.
 */
export function lastClose(
  { session, references, setAside }: Pick<Slot, 'session' | 'references' | 'setAside'>,
  sessionDate: PlainDate,
): ReferenceClose | undefined {
  if (session === undefined) return undefined;
  const isLater = session.sessionDate < sessionDate;
  const previous = isLater ? closeToCompare(session) : references.previous;
  if (previous === undefined || setAside === undefined) return previous;
  return previous.day <= setAside.day ? undefined : previous;
}

/** A close on the basis of a session. */
export function comparableTo(
  { factorActions }: Pick<Slot, 'factorActions'>,
  { day, close }: ReferenceClose,
  sessionDate: PlainDate,
): number {
  return priceOnBasisOf(close, factorActions, { from: day, to: toEpochDay(sessionDate) });
}

/** The close of a session as history has it; before that, its last price. */
function closeToCompare({
  sessionDate,
  last,
  isInHistory,
  historyClose,
}: LiveSession): ReferenceClose {
  return {
    day: toEpochDay(sessionDate),
    close: isInHistory && historyClose !== null ? historyClose : last,
  };
}
