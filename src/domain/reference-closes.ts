import { epochDayOf, toEpochDay } from './plain-date.ts';
import type { EpochDay, PlainDate } from './plain-date.ts';

/** A close that sessions are compared with, and the day of its own session. */
export interface ReferenceClose {
  readonly day: EpochDay;
  readonly close: number;
}

/**
 * The closes of an instrument's own history that a session is compared with. Absent where the
 * history has none.
 *
 * Source: decisions row 21.
 */
export interface ReferenceCloses {
  /** The last close of a session before this one. */
  readonly previous?: ReferenceClose;
  /** The last close before the first day of this session's month. */
  readonly monthBase?: ReferenceClose;
  /** The last close before the first day of this session's year. */
  readonly yearBase?: ReferenceClose;
}

/** The reference closes of an instrument without history. */
export const noReferences: ReferenceCloses = {};

/** Whether two sets of reference closes are equal. */
export function areSameReferences(a: ReferenceCloses, b: ReferenceCloses): boolean {
  return (
    isSame(a.previous, b.previous) &&
    isSame(a.monthBase, b.monthBase) &&
    isSame(a.yearBase, b.yearBase)
  );
}

function isSame(a: ReferenceClose | undefined, b: ReferenceClose | undefined): boolean {
  return a === b || (a?.day === b?.day && a?.close === b?.close);
}

/** The oldest day on which each base of a session may lie to be compared with. */
export type OldestBases = Readonly<Record<keyof ReferenceCloses, EpochDay>>;

/** A base is compared with up to this age, in days. */
const baseAgeDaysMax = 45;

/** The bases of the date asked for last: most quotes in a row are of one session date. */
let latest: { readonly sessionDate: PlainDate; readonly bases: OldestBases } | undefined;

/**
 * How old the bases of a session may be. The change from an older base is not that of a day, a month
 * or a year, and is null.
 *
 * - The previous close may lie up to 45 days before the session: for 2026-03-20, back to 2026-02-03.
 * - The base of the month lies in the month before, or up to 45 days before the end of that month.
 *   No month has 45 days, so the second bound decides: for any day of March 2026, 45 days before
 *   2026-02-28, which is 2026-01-14.
 * - The base of the year lies in the year before, or up to 45 days before its end. Here the first
 *   bound decides: for any day of 2026, back to 2025-01-01.
 *
 * Source: decisions row 40.
 */
export function oldestBases(sessionDate: PlainDate): OldestBases {
  if (latest?.sessionDate !== sessionDate) latest = { sessionDate, bases: findOldest(sessionDate) };
  return latest.bases;
}

function findOldest(sessionDate: PlainDate): OldestBases {
  const day = toEpochDay(sessionDate);
  const endOfMonthBefore = day - Number(sessionDate.slice(8, 10));
  return {
    previous: (day - baseAgeDaysMax) as EpochDay,
    monthBase: (endOfMonthBefore - baseAgeDaysMax) as EpochDay,
    yearBase: epochDayOf(Number(sessionDate.slice(0, 4)) - 1, 1, 1),
  };
}
