import type { DailyClose } from '../domain/daily-close.ts';
import type { Instrument } from '../domain/instrument.ts';
import { fromEpochDay } from '../domain/plain-date.ts';
import type { Quote } from '../domain/quote.ts';
import { noReferences } from '../domain/reference-closes.ts';
import type { ReferenceCloses } from '../domain/reference-closes.ts';
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
