import { toEpochDay, type EpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { parseDate, parseMoment, type DateFormat, type WrittenMoment } from './date-format.ts';

/** How a cell becomes a day. */
export interface DayRule {
  readonly dateFormat: DateFormat;
  /** The time zone whose day an instant is of. Undefined: the day is the one that is written. */
  readonly zone?: string | undefined;
}

const minutesPerHour = 60;

/**
 * The day of a cell. Undefined when it has another format, when the day does not exist, and with a
 * zone when it is no instant.
 */
export function dayOf(cell: string, { dateFormat, zone }: DayRule): EpochDay | undefined {
  return zone === undefined
    ? parseDate(cell, dateFormat)
    : momentOf(cell, { dateFormat, zone })?.day;
}

/** As {@link dayOf}, with the time of day in the same time zone. */
export function momentOf(cell: string, { dateFormat, zone }: DayRule): WrittenMoment | undefined {
  const moment = parseMoment(cell, dateFormat);
  if (zone === undefined || moment === undefined) return moment;
  const { instant } = moment;
  if (instant === undefined) return undefined;
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  const day = toEpochDay(local.toPlainDate().toString() as PlainDate);
  return { day, minute: local.hour * minutesPerHour + local.minute, instant };
}

/** Whether a text is a time zone: an IANA name such as `America/New_York`, or an offset. */
export function isTimeZone(text: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    return true;
  } catch {
    return false;
  }
}
