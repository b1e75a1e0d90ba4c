import { parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';

/** The day of a published value: `2026-11-20`, or the same with a time of 00:00. */
export function publishedDate(value: unknown): PlainDate | undefined {
  return typeof value === 'string' ? parsePlainDate(value.replace(/T00:00:00$/, '')) : undefined;
}

/** What the latest published value of an instrument is mapped with. */
export interface PublishedContext {
  readonly ticker: Ticker;
  /** The calendar of the market of the instrument. */
  readonly calendar: SessionCalendar;
  /** The instant of the response, in epoch milliseconds. */
  readonly snapshotAt: number;
}

/** No source publishes the price of an instrument of an earlier day. */
const earliestDate = '1980-01-01';

/**
 * The instant of a value that a source publishes for a day without a time: the open of the day in the
 * market of the instrument. Undefined for a day that cannot be right, such as one to come.
 *
 * @param options.latestAt the latest instant that is possible, in epoch milliseconds.
 */
export function publishedAt(
  date: PlainDate | undefined,
  { calendar, latestAt }: { readonly calendar: SessionCalendar; readonly latestAt: number },
): number | undefined {
  if (date === undefined || date < earliestDate) return undefined;
  const opensAt = calendar.opensAt(date);
  return opensAt <= latestAt ? opensAt : undefined;
}
