import type { DailyClose } from '../domain/daily-close.ts';
import type { Instrument } from '../domain/instrument.ts';
import { firstOfMonth, firstOfYear, fromEpochDay, toEpochDay } from '../domain/plain-date.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import type { Quote } from '../domain/quote.ts';
import { noReferences } from '../domain/reference-closes.ts';
import type { ReferenceClose, ReferenceCloses } from '../domain/reference-closes.ts';
import { SessionCalendar } from '../domain/session-calendar.ts';
import type { LiveSession } from '../domain/stored-quote.ts';
import type { DerivedInstrument, Universe } from '../domain/universe.ts';
import { inputsOf } from '../domain/derivation.ts';

/** One instrument as the engine holds it. */
export interface Slot {
  readonly instrument: Instrument;
  readonly calendar: SessionCalendar;
  /** The derived instruments to recompute when this one changes, inputs before what needs them. */
  readonly dependents: readonly DerivedInstrument[];
  readonly isDerived: boolean;
  session: LiveSession | undefined;
  references: ReferenceCloses;
  /** The quote last made; its version is the instrument's. */
  quote: Quote | undefined;
  /** How many closes have been handed over to history. */
  closesGiven: number;
  /** Whether this turn has changed what the quote shows. */
  needsQuote: boolean;
  /** Whether this turn has changed what is to be stored. */
  needsStore: boolean;
}

/** An empty slot for each instrument, by position. Markets share their calendars. */
export function makeSlots(universe: Universe): readonly Slot[] {
  const calendars = new Map(
    [...universe.markets].map(([code, market]) => [code, new SessionCalendar(market)]),
  );
  const derived = new Set(universe.derived.map(({ instrument }) => instrument));
  return universe.instruments.map((instrument) => {
    const calendar = calendars.get(instrument.market);
    if (calendar === undefined) throw new Error(`no market ${instrument.market}`);
    return {
      instrument,
      calendar,
      dependents: dependentsOf(instrument, universe),
      isDerived: derived.has(instrument),
      session: undefined,
      references: noReferences,
      quote: undefined,
      closesGiven: 0,
      needsQuote: false,
      needsStore: false,
    };
  });
}

/** All that follows from an instrument, directly or not, in the universe's order of computing. */
function dependentsOf(instrument: Instrument, universe: Universe): readonly DerivedInstrument[] {
  const changed = new Set([instrument.ticker]);
  return universe.derived.filter((one) => {
    const follows = inputsOf(one.derivation).some((input) => changed.has(input));
    if (follows) changed.add(one.instrument.ticker);
    return follows;
  });
}

/**
 * The session after history has spoken. A close of a later session than the one held begins that
 * session; a close of the held session that is not our own word coming back corrects it; anything
 * older changes nothing.
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
 * A stored session with its instant moved into its hours where it lies outside. The very same object
 * where it does not.
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
 * The references of the session that follows one: its close, as history has it, is the previous close
 * and, over the turn of a month or a year, their base.
 */
export function referencesAfter(
  { sessionDate, last, isInHistory, historyClose }: LiveSession,
  { monthBase: heldMonthBase, yearBase: heldYearBase }: ReferenceCloses,
  next: PlainDate,
): ReferenceCloses {
  const previous: ReferenceClose = {
    day: toEpochDay(sessionDate),
    close: isInHistory && historyClose !== null ? historyClose : last,
  };
  const monthBase = sessionDate < firstOfMonth(next) ? previous : heldMonthBase;
  const yearBase = sessionDate < firstOfYear(next) ? previous : heldYearBase;
  return {
    previous,
    ...(monthBase === undefined ? {} : { monthBase }),
    ...(yearBase === undefined ? {} : { yearBase }),
  };
}
