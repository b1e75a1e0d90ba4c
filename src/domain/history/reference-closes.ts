import type { CorporateAction } from './corporate-action.ts';
import { priceOnBasisOf } from './corporate-actions.ts';
import { epochDayOf, toEpochDay, type EpochDay, type PlainDate } from '../calendar/plain-date.ts';

/** A close that later sessions are compared with, and the day of its session. */
export interface ReferenceClose {
  readonly day: EpochDay;
  /** As traded that day. */
  readonly close: number;
  /** The close on the basis of the session, when a corporate action lies between the two. */
  readonly adjusted?: number;
}

/**
 * The closes from an instrument's own history that a session is compared with (contract 2.1.4).
 * Absent where the history has none.
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
  return a === b || (a?.day === b?.day && a?.close === b?.close && a?.adjusted === b?.adjusted);
}

/** The value that prices of the session are compared with. */
export function comparableClose({ close, adjusted }: ReferenceClose): number {
  return adjusted ?? close;
}

/**
 * Reference closes with their values on the basis of a session (contract 2.1.4). Gives the same object
 * if no value changes.
 *
 * @param actions of the instrument, ascending by ex date
 */
export function onBasisOf(
  references: ReferenceCloses,
  actions: readonly CorporateAction[],
  sessionDate: PlainDate,
): ReferenceCloses {
  const to = toEpochDay(sessionDate);
  const bases = Object.entries(references) as [keyof ReferenceCloses, ReferenceClose][];
  const moved = bases.map(([name, base]): [keyof ReferenceCloses, ReferenceClose] => {
    const { day, close } = base;
    const adjusted = priceOnBasisOf(close, actions, { from: day, to });
    return [name, adjusted === close ? { day, close } : { day, close, adjusted }];
  });
  const all: ReferenceCloses = Object.fromEntries(moved);
  return areSameReferences(references, all) ? references : all;
}

/** For each base of a session, the oldest day on which it is still compared with. */
export type OldestBases = Readonly<Record<keyof ReferenceCloses, EpochDay>>;

/** Maximum age of a base, in days. */
export const baseAgeDaysMax = 45;

/** The result for the latest session date: consecutive quotes are mostly of the same date. */
let latest: { readonly sessionDate: PlainDate; readonly bases: OldestBases } | undefined;

/**
 * How old the bases of a session may be (contract 2.1.5). A change from an older base is not the
 * change of a day, a month or a year, so it is null.
 *
 * - The previous close may be up to 45 days before the session: for 2026-03-20, back to 2026-02-03.
 * - The base of the month is in the month before, or up to 45 days before the end of that month. No
 *   month has 45 days, so the second bound decides. For any day of March 2026 it is 45 days before
 *   2026-02-28: 2026-01-14.
 * - The base of the year is in the year before, or up to 45 days before its end. Here the first
 *   bound decides. For any day of 2026 it is 2025-01-01.
 */
export function oldestBases(sessionDate: PlainDate): OldestBases {
  if (latest?.sessionDate !== sessionDate) latest = { sessionDate, bases: findOldest(sessionDate) };
  return latest.bases;
}

function findOldest(sessionDate: PlainDate): OldestBases {
  const day = toEpochDay(sessionDate);
  const endOfMonthBefore = day - Number(sessionDate.slice(8));
  return {
    previous: (day - baseAgeDaysMax) as EpochDay,
    monthBase: (endOfMonthBefore - baseAgeDaysMax) as EpochDay,
    yearBase: epochDayOf(Number(sessionDate.slice(0, 4)) - 1, 1, 1),
  };
}
