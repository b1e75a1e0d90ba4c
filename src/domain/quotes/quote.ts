import type { Complete } from '../values/complete.ts';
import type { Book } from './book.ts';
import { rulesOf, type ChangeUnit, type Instrument } from '../instruments/instrument.ts';
import type { Bar } from './minute-bar.ts';
import type { EpochDay, PlainDate } from '../calendar/plain-date.ts';
import {
  comparableClose,
  oldestBases,
  type ReferenceClose,
  type ReferenceCloses,
} from '../history/reference-closes.ts';
import type { SetAsideBase } from './set-aside-base.ts';
import type { ShownChanges } from './shown-changes.ts';
import { percentChange, pointsChange } from '../values/rounding.ts';

/** The change from the previous close to the last price, in the instrument's unit. */
interface Change {
  readonly value: number;
  readonly unit: ChangeUnit;
}

/** Where a quote comes from. */
export interface QuoteSource {
  /** The name in the configuration. Absent for a derived instrument, which has no source of its own. */
  readonly name?: string | undefined;
  /**
   * How much later than the market the source is, in minutes. Absent when it is not known: the source does
   * not state it, or an input of a derived instrument is from such a source.
   */
  readonly delayMinutes?: number | undefined;
  /**
   * The name in the configuration of the feed that follows another service, where the source is one of that
   * service. Then `name` is the name there. Absent for a source of this service.
   */
  readonly via?: string | undefined;
}

/**
 * The complete latest state of one instrument. Immutable: every change creates a new quote with a
 * higher version. So anything derived from a quote, such as its rendered bytes, may be cached.
 */
export interface Quote extends SessionState {
  readonly instrument: Instrument;
  /** Unique. Every new quote of any instrument gets a higher version, across restarts too. */
  readonly version: number;
  /**
   * The version of the latest change that every client sees. Absent if it is `version`: it is older
   * only after a change of the book alone. See {@link plainVersionOf}.
   */
  readonly plainVersion?: number | undefined;
  readonly previousClose?: number | undefined;
  /** The closes that the quote is compared with, those that are set aside excluded. */
  readonly references: ReferenceCloses;
  /**
   * Null without a previous close, when it is too old, or when it is zero and the unit is percent.
   */
  readonly change: Change | null;
  /**
   * This and {@link yearToDatePct} are null when the base is missing, too old or zero, and for values that may
   * be zero or negative.
   */
  readonly monthToDatePct: number | null;
  readonly yearToDatePct: number | null;
  /** The close that the prices contradict, from which no variation is computed. Absent if there is none. */
  readonly setAside?: SetAsideBase | undefined;
  /**
   * The source that gave `last`. Absent when no source has given it, as after an import.
   */
  readonly source?: QuoteSource | undefined;
  /**
   * The minute under way: the latest one in which a price came. All minutes before it are in the store.
   * Absent before the first price, and while bars are not recorded.
   */
  readonly bar?: Bar | undefined;
}

/** What a session has shown so far: the part of a quote that does not depend on other sessions. */
export interface SessionState {
  /** The session date, in the market's time zone (contract 2.1, `fecha`). */
  readonly sessionDate: PlainDate;
  /**
   * The instant of the source's last update within the session, in epoch milliseconds; absent when
   * the source gave none. An update of the book alone does not change it.
   */
  readonly asOf?: number | undefined;
  readonly last: number;
  readonly open?: number | undefined;
  readonly high?: number | undefined;
  readonly low?: number | undefined;
  /** Nominal volume of the session so far. Null where the kind has none or no source reports it. */
  readonly volume: number | null;
  /** Absent until a source reports a book in the session. */
  readonly book?: Book | undefined;
}

/** The version of the latest change of a quote that every client sees. */
export function plainVersionOf({ version, plainVersion }: Quote): number {
  return plainVersion ?? version;
}

/**
 * Creates the quote of an instrument from the state of its session and its reference closes. A
 * previous close that is too old to compare with ({@link oldestBases}) is still shown as the
 * previous close (contract 2.1.5).
 *
 * @param sourcePreviousClose the previous close that the source reports. Used only where the
 *   history has none (contract 2.1.4). It is the close of the session before, so it is never too
 *   old. It is used as the source reports it: sources adjust it themselves on the day of an action.
 * @param shown the comparisons that another service shows. They are used in place of all others.
 */
export function makeQuote(
  instrument: Instrument,
  {
    version,
    plainVersion,
    session,
    references,
    setAside,
    sourcePreviousClose,
    shown,
    source,
    bar,
  }: {
    readonly version: number;
    readonly plainVersion?: number | undefined;
    readonly session: SessionState;
    readonly references: ReferenceCloses;
    readonly setAside?: SetAsideBase | undefined;
    readonly sourcePreviousClose?: number | undefined;
    readonly shown?: ShownChanges | undefined;
    readonly source?: QuoteSource | undefined;
    readonly bar?: Bar | undefined;
  },
): Complete<Quote> {
  const { previous, monthBase, yearBase } = references;
  const { last, sessionDate } = session;
  const oldest = oldestBases(sessionDate);
  const dayBase =
    previous === undefined ? sourcePreviousClose : closeSince(oldest.previous, previous);
  return {
    instrument,
    version,
    plainVersion,
    sessionDate,
    asOf: session.asOf,
    last,
    open: session.open,
    high: session.high,
    low: session.low,
    volume: session.volume,
    references,
    ...(shown === undefined
      ? {
          previousClose: previous === undefined ? sourcePreviousClose : comparableClose(previous),
          change: changeOf(instrument.changeUnit, dayBase, last),
          monthToDatePct: percentFrom(instrument, closeSince(oldest.monthBase, monthBase), last),
          yearToDatePct: percentFrom(instrument, closeSince(oldest.yearBase, yearBase), last),
        }
      : changesOf(instrument, shown)),
    setAside,
    book: session.book,
    source,
    bar,
  };
}

/** The comparable close of a base, or undefined when the base is older than the oldest day to compare with. */
function closeSince(oldest: EpochDay, base: ReferenceClose | undefined): number | undefined {
  return base === undefined || base.day < oldest ? undefined : comparableClose(base);
}

/** The comparisons of a quote that another service has computed. */
function changesOf(
  instrument: Instrument,
  { previousClose, change, monthToDatePct, yearToDatePct }: ShownChanges,
): Pick<Complete<Quote>, 'previousClose' | 'change' | 'monthToDatePct' | 'yearToDatePct'> {
  const inUnit = change === null ? null : { value: change, unit: instrument.changeUnit };
  const hasPercents = mayHavePercents(instrument);
  return {
    previousClose,
    change: inUnit,
    monthToDatePct: hasPercents ? monthToDatePct : null,
    yearToDatePct: hasPercents ? yearToDatePct : null,
  };
}

function changeOf(unit: ChangeUnit, base: number | undefined, last: number): Change | null {
  if (base === undefined) return null;
  const value = unit === 'percent' ? percentChange(base, last) : pointsChange(base, last);
  return value === null ? null : { value, unit };
}

function percentFrom(
  instrument: Instrument,
  base: number | undefined,
  last: number,
): number | null {
  return base === undefined || !mayHavePercents(instrument) ? null : percentChange(base, last);
}

/** Whether a percent of the values of an instrument means something: it does not if they may be zero or negative. */
function mayHavePercents(instrument: Instrument): boolean {
  return rulesOf(instrument).moveFactorMax !== null;
}
