import type { ChangeUnit, Instrument } from './instrument.ts';
import type { PlainDate } from './plain-date.ts';
import type { ReferenceCloses } from './reference-closes.ts';
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
  /** Null when there is no previous close, or it is zero and the unit is percent. */
  readonly change: Change | null;
  readonly monthToDatePct: number | null;
  readonly yearToDatePct: number | null;
}

/** What a session has shown so far: a quote without what follows from other sessions. */
export interface SessionState {
  /** The date of the session in the market's own time zone (decisions row 17). */
  readonly sessionDate: PlainDate;
  /** The instant of the source's last word, in epoch milliseconds; absent when it gave none. */
  readonly asOf?: number | undefined;
  readonly last: number;
  readonly open?: number | undefined;
  readonly high?: number | undefined;
  readonly low?: number | undefined;
  /** Nominal of the session so far; null where the kind has none or nobody said. */
  readonly volume: number | null;
}

/**
 * The quote of an instrument, from what its session has shown and what came before.
 *
 * @param sourcePreviousClose what the feed calls the previous close; used only where the
 *   instrument's own history has none (decisions row 21).
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
  const previousClose = references.previous ?? sourcePreviousClose;
  return {
    instrument,
    version,
    sessionDate: session.sessionDate,
    asOf: session.asOf,
    last: session.last,
    open: session.open,
    high: session.high,
    low: session.low,
    volume: session.volume,
    previousClose,
    change: changeOf(instrument.changeUnit, previousClose, session.last),
    monthToDatePct: percentFrom(references.monthBase, session.last),
    yearToDatePct: percentFrom(references.yearBase, session.last),
  };
}

function changeOf(unit: ChangeUnit, base: number | undefined, last: number): Change | null {
  if (base === undefined) return null;
  const value = unit === 'percent' ? percentChange(base, last) : pointsChange(base, last);
  return value === null ? null : { value, unit };
}

function percentFrom(base: number | undefined, last: number): number | null {
  return base === undefined ? null : percentChange(base, last);
}
