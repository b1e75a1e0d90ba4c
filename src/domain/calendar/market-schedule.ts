import { holidaysIn, type Holiday } from './market.ts';
import { marketStateAt, type MarketState } from './market-state.ts';
import type { PlainDate } from './plain-date.ts';
import type { SessionCalendar } from './session-calendar.ts';

/** The state of a market at an instant, with its hours and the special days of one year. */
export interface MarketSchedule extends MarketState {
  /** IANA time zone of the hours and dates. */
  readonly timeZone: string;
  /** The hours of the session of {@link sessionDate}, early closes included, in local minutes. */
  readonly openMinute: number;
  readonly closeMinute: number;
  /** In order of date. Empty for a year that the market's calendar does not cover. */
  readonly holidays: readonly Holiday[];
  /** The days of the same year with a session and without settlement, in order of date. */
  readonly unsettled: readonly PlainDate[];
  /**
   * The schedule is the same from the instant it was computed for until just before this one, in epoch
   * milliseconds.
   */
  readonly validUntil: number;
}

/**
 * The schedule of a calendar's market at an instant, in epoch milliseconds.
 *
 * @param year of the holidays and of the days without settlement, four digits; undefined for the year of
 * the instant in the time zone of the market; empty for those of all years.
 */
export function marketScheduleAt(
  calendar: SessionCalendar,
  epochMs: number,
  year: string | undefined,
): MarketSchedule {
  const { market } = calendar;
  const state = marketStateAt(calendar, epochMs);
  const currentYear = calendar.dateAt(epochMs).slice(0, 4);
  const shownYear = year ?? currentYear;
  const nextYearAt = calendar.startOfDay(`${Number(currentYear) + 1}-01-01` as PlainDate);
  return {
    ...state,
    timeZone: market.timeZone,
    ...calendar.hoursOf(state.sessionDate),
    holidays: holidaysIn(market, shownYear),
    unsettled: [...market.unsettled].filter((date) => date.startsWith(shownYear)).toSorted(),
    validUntil: Math.min(state.changesAt, nextYearAt),
  };
}
