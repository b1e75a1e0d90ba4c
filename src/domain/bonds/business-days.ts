import type { PlainDate } from '../calendar/plain-date.ts';
import type { SessionCalendar } from '../calendar/session-calendar.ts';

/** The days on which a market settles. */
export type BusinessDays = Pick<SessionCalendar, 'isSession' | 'nextSession' | 'previousSession'>;

/** When a trade settles: on its own day, or on the next business day. */
export type SettlementTerm = 'same-day' | 'next-day';

/** The day on which a trade settles. That of a day without a session is the first one after it. */
export function settlementOf(
  days: BusinessDays,
  traded: PlainDate,
  term: SettlementTerm,
): PlainDate {
  const session = onOrAfter(days, traded);
  return term === 'same-day' ? session : days.nextSession(session);
}

/** The business day that is a number of business days before a day, which need not be one. */
export function businessDaysBefore(days: BusinessDays, date: PlainDate, count: number): PlainDate {
  let day = onOrAfter(days, date);
  for (let left = count; left > 0; left -= 1) day = days.previousSession(day);
  return day;
}

/** The first business day on or after a day. */
export function onOrAfter(days: BusinessDays, date: PlainDate): PlainDate {
  return days.isSession(date) ? date : days.nextSession(date);
}
