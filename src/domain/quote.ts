import type { ChangeUnit, Instrument } from './instrument.ts';
import type { EpochDay, PlainDate } from './plain-date.ts';
import { oldestBases } from './reference-closes.ts';
import type { ReferenceClose, ReferenceCloses } from './reference-closes.ts';
import { percentChange, pointsChange } from './rounding.ts';

/** From the previous close to the last, in the instrument's own unit. */
interface Change {
  readonly value: number;
  readonly unit: ChangeUnit;
}

/**
 * The whole latest state of one instrument. Immutable: a change makes a new quote with a higher
 * version, so whoever holds one may keep what it made of it (its bytes, say).
 */
export interface Quote extends SessionState {
  readonly instrument: Instrument;
  /** Rises with every new quote of any instrument, across restarts; unique. */
  readonly version: number;
  readonly previousClose?: number | undefined;
  /** Null when there is no previous close, it is too old, or it is zero and the unit is percent. */
  readonly change: Change | null;
  /** Null, as is {@link yearToDatePct}, when there is no base, it is too old, or it is zero. */
  readonly monthToDatePct: number | null;
  readonly yearToDatePct: number | null;
}

/** What a session has shown so far: a quote without what follows from other sessions. */
export interface SessionState {
  /** The date of the session in the market's own time zone (decisions row 17). */
  readonly sessionDate: PlainDate;
  /**
   * The instant of the source's last word within the session, in epoch milliseconds; absent when it
   * gave none.
   */
  readonly asOf?: number | undefined;
  readonly last: number;
  readonly open?: number | undefined;
  readonly high?: number | undefined;
  readonly low?: number | undefined;
  /** Nominal of the session so far; null where the kind has none or nobody said. */
  readonly volume: number | null;
}

/**
 * The quote of an instrument, from what its session has shown and what came before. A base that is
 * too old to compare with ({@link oldestBases}) is still shown as the previous close.
 *
 * @param sourcePreviousClose what the feed calls the previous close; used only where the
 *   instrument's own history has none (decisions row 21). By definition it is of the session before,
 *   so it has no day and is never too old.
 */
export function makeQuote(
  instrument: Instrument,
  {
    version,
    session,
    references,
    sourcePreviousClose,
  }: {
    readonly version: number;
    readonly session: SessionState;
    readonly references: ReferenceCloses;
    readonly sourcePreviousClose?: number | undefined;
  },
): Quote {
  const { previous, monthBase, yearBase } = references;
  const { last, sessionDate } = session;
  const oldest = oldestBases(sessionDate);
  const dayBase =
    previous === undefined ? sourcePreviousClose : closeSince(oldest.previous, previous);
  return {
    instrument,
    version,
    sessionDate,
    asOf: session.asOf,
    last,
    open: session.open,
    high: session.high,
    low: session.low,
    volume: session.volume,
    previousClose: previous === undefined ? sourcePreviousClose : previous.close,
    change: changeOf(instrument.changeUnit, dayBase, last),
    monthToDatePct: percentFrom(closeSince(oldest.monthBase, monthBase), last),
    yearToDatePct: percentFrom(closeSince(oldest.yearBase, yearBase), last),
  };
}

/** The close of a base, unless it lies before the oldest day to compare with. */
function closeSince(oldest: EpochDay, base: ReferenceClose | undefined): number | undefined {
  return base === undefined || base.day < oldest ? undefined : base.close;
}

function changeOf(unit: ChangeUnit, base: number | undefined, last: number): Change | null {
  if (base === undefined) return null;
  const value = unit === 'percent' ? percentChange(base, last) : pointsChange(base, last);
  return value === null ? null : { value, unit };
}

function percentFrom(base: number | undefined, last: number): number | null {
  return base === undefined ? null : percentChange(base, last);
}
