import { hoursOn, type Market } from '../../domain/calendar/market.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';

const minutesPerDay = 1440;
const daysPerWeek = 7;

/** The hours and days of a market, as the charting library reads them. */
export interface UdfSessions {
  /** The hours of a usual session, with its days, Sunday 1 … Saturday 7. */
  readonly session: string;
  /** The days without a session, separated by commas. Absent for none. */
  readonly session_holidays?: string;
  /** The hours of the sessions that close early. Absent for none. */
  readonly corrections?: string;
}

/**
 * The sessions of a market (contract 4.15.5). The days are always written: without them, versions of the
 * library differ in which days they mean.
 *
 * @param today its hours are those of a usual session.
 */
export function udfSessions(calendar: SessionCalendar, today: PlainDate): UdfSessions {
  const { market } = calendar;
  const holidays = [...market.holidays.keys()].toSorted().map(compact).join(',');
  const corrections = [...market.earlyCloses.keys()]
    .filter((date) => calendar.isSession(date))
    .toSorted()
    .map((date) => {
      const { openMinute, closeMinute } = calendar.hoursOf(date);
      return `${hoursText(openMinute, closeMinute)}:${compact(date)}`;
    })
    .join(';');
  return {
    session: sessionText(market, today),
    ...(holidays === '' ? {} : { session_holidays: holidays }),
    ...(corrections === '' ? {} : { corrections }),
  };
}

function sessionText({ hours, weekdays }: Market, today: PlainDate): string {
  const current = hoursOn(hours, today) ?? hours[0];
  if (current === undefined) throw new Error('a market has no hours');
  const { openMinute, closeMinute } = current;
  const isAllDay = openMinute === 0 && closeMinute === minutesPerDay;
  if (isAllDay && weekdays.size === daysPerWeek) return '24x7';
  const days = Array.from(weekdays, (day) => (day % daysPerWeek) + 1).toSorted((a, b) => a - b);
  return `${hoursText(openMinute, closeMinute)}:${days.join('')}`;
}

function hoursText(openMinute: number, closeMinute: number): string {
  return `${timeText(openMinute)}-${timeText(closeMinute)}`;
}

/** A local time without a colon. The end of a day is the start of the next one. */
function timeText(minute: number): string {
  const ofDay = minute % minutesPerDay;
  return [Math.floor(ofDay / 60), ofDay % 60].map((part) => String(part).padStart(2, '0')).join('');
}

function compact(date: PlainDate): string {
  return date.replaceAll('-', '');
}
