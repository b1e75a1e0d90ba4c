import type { PlainDate } from './plain-date.ts';
import type { SessionCalendar } from './session-calendar.ts';

/** The days on which a market trades, and those on which it settles. */
export type BusinessDays = Pick<
  SessionCalendar,
  | 'isSession'
  | 'nextSession'
  | 'previousSession'
  | 'isSettlement'
  | 'nextSettlement'
  | 'previousSettlement'
>;

/**
 * When a trade settles: on its own day, or by the default term of the market. That is the next settlement day, and was
 * the one after it before {@link oneDaySince}.
 */
export type SettlementTerm = 'same-day' | 'next-day';

/** The first day on which Argentine securities settle in one day by default. Before it, they settled in two. */
export const oneDaySince = '2024-05-27';

/**
 * The day on which a trade settles. A day without a session trades in the first one after it. A session without
 * settlement, as on a bridge day, settles on the next settlement day by either term. Before {@link oneDaySince}, the
 * term `next-day` is two settlement days.
 */
export function settlementOf(
  days: BusinessDays,
  traded: PlainDate,
  term: SettlementTerm,
): PlainDate {
  const session = days.isSession(traded) ? traded : days.nextSession(traded);
  if (term === 'same-day') return onOrAfter(days, session);
  const next = days.nextSettlement(session);
  return session < oneDaySince ? days.nextSettlement(next) : next;
}

/** The settlement day that is a number of settlement days before a day, which need not be one. */
export function businessDaysBefore(days: BusinessDays, date: PlainDate, count: number): PlainDate {
  let day = onOrAfter(days, date);
  for (let left = count; left > 0; left -= 1) day = days.previousSettlement(day);
  return day;
}

/** The first settlement day on or after a day. */
export function onOrAfter(days: BusinessDays, date: PlainDate): PlainDate {
  return days.isSettlement(date) ? date : days.nextSettlement(date);
}
