import type { PlainDate } from './plain-date.ts';

/** Opening hours, in minutes since the local midnight. `close` may be 1440: until midnight. */
export interface SessionHours {
  /** The first day on which these hours hold; absent for the oldest. */
  readonly since?: PlainDate;
  readonly openMinute: number;
  readonly closeMinute: number;
}

/** Where instruments trade. Immutable. */
export interface Market {
  readonly code: string;
  readonly name: string;
  /** An IANA time zone, in which its dates and hours are told. */
  readonly timeZone: string;
  /** The days of the week with a session, Monday 1 … Sunday 7. */
  readonly weekdays: ReadonlySet<number>;
  /** In order of `since`; at least one. */
  readonly hours: readonly SessionHours[];
  /** Days without a session, with what they are called. */
  readonly holidays: ReadonlyMap<PlainDate, string>;
  /** Days that close early, with the minute since the local midnight. */
  readonly earlyCloses: ReadonlyMap<PlainDate, number>;
}

/** The hours in force on a day; undefined before the first that are dated. */
export function hoursOn(hours: readonly SessionHours[], date: PlainDate): SessionHours | undefined {
  return hours.findLast(({ since }) => since === undefined || since <= date);
}
