import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';

/** The last instant whose year has four digits in every time zone. */
const latestAt = Date.UTC(9999, 11, 30);

/**
 * The date of an instant that a source sent, in the time zone of a market. Undefined for an instant before
 * 1970 or after 9999, which cannot be right, and for `NaN`.
 */
export function dateOfInstant(
  epochMs: number,
  calendar: Pick<SessionCalendar, 'dateAt'>,
): PlainDate | undefined {
  return epochMs >= 0 && epochMs <= latestAt ? calendar.dateAt(epochMs) : undefined;
}
