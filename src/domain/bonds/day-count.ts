import { toEpochDay, type PlainDate } from '../calendar/plain-date.ts';
import type { DayCount } from '../instruments/bond-terms.ts';

/** The number of calendar days from one date to another. */
export function daysBetween(from: PlainDate, to: PlainDate): number {
  return toEpochDay(to) - toEpochDay(from);
}

/**
 * The number of days from one date to another when each month has 30: the rule "30/360 US" without its
 * exception for the end of February.
 */
export function days360(from: PlainDate, to: PlainDate): number {
  const firstDay = Math.min(dayOf(from), 30);
  const lastDay = firstDay === 30 ? Math.min(dayOf(to), 30) : dayOf(to);
  const months = 12 * (yearOf(to) - yearOf(from)) + monthOf(to) - monthOf(from);
  return 30 * months + lastDay - firstDay;
}

/** The part of a year from one date to another. */
export function yearFraction(from: PlainDate, to: PlainDate, dayCount: DayCount): number {
  switch (dayCount) {
    case '30/360':
      return days360(from, to) / 360;
    case 'act/365':
      return daysBetween(from, to) / 365;
    case 'act/360':
      return daysBetween(from, to) / 360;
  }
}

export function yearOf(date: PlainDate): number {
  return Number(date.slice(0, 4));
}

export function monthOf(date: PlainDate): number {
  return Number(date.slice(5, 7));
}

export function dayOf(date: PlainDate): number {
  return Number(date.slice(8));
}
