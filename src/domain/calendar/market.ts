import { toEpochDay, type PlainDate } from './plain-date.ts';

/**
 * Opening hours, in minutes since local midnight. `closeMinute` may be 1440, the end of the day.
 */
export interface SessionHours {
  /** The first day on which these hours apply; absent for the oldest hours. */
  readonly since?: PlainDate;
  readonly openMinute: number;
  readonly closeMinute: number;
}

/** A market: the time zone, hours and days in which its instruments trade. Immutable. */
export interface Market {
  readonly code: string;
  readonly name: string;
  /** IANA time zone of the market's dates and hours. */
  readonly timeZone: string;
  /** The days of the week with a session, Monday 1 … Sunday 7. */
  readonly weekdays: ReadonlySet<number>;
  /** In order of `since`; at least one. */
  readonly hours: readonly SessionHours[];
  /** Days without a session, with the name of each holiday. */
  readonly holidays: ReadonlyMap<PlainDate, string>;
  /** Days with a session on which nothing settles, because the banks are closed. */
  readonly unsettled: ReadonlySet<PlainDate>;
  /** Days on which the market closes early, with the closing minute since local midnight. */
  readonly earlyCloses: ReadonlyMap<PlainDate, number>;
}

/** The hours that apply on a day. Undefined when the day is before all of them. */
export function hoursOn(hours: readonly SessionHours[], date: PlainDate): SessionHours | undefined {
  return hours.findLast(({ since }) => since === undefined || since <= date);
}

/** A local time, `HH:MM`; the end of a day is `24:00`. */
export function minuteText(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60].map((one) =>
    String(one).padStart(2, '0'),
  );
  return `${hours}:${minutes}`;
}

/** The minutes since local midnight of a time as {@link minuteText} writes it. Undefined for another text. */
export function parseMinute(text: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(text) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return minute <= 1_440 ? minute : undefined;
}

/** A day without a session. */
export interface Holiday {
  readonly date: PlainDate;
  readonly name: string;
}

/** The holidays of a market in a year of four digits, in order of date. An empty year means all years. */
export function holidaysIn({ holidays }: Market, year: string): readonly Holiday[] {
  return Array.from(holidays, ([date, name]) => ({ date, name }))
    .filter(({ date }) => date.startsWith(year))
    .toSorted((a, b) => toEpochDay(a.date) - toEpochDay(b.date));
}
