import type { Bar } from '../../../src/domain/quotes/minute-bar.ts';
import { toEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';

/** The epoch minute of a Buenos Aires date and time. */
export function minuteAt(date: string, time: string): number {
  return Date.parse(`${date}T${time}:00-03:00`) / 60_000;
}

/** A bar at a Buenos Aires date and time: open, high, low, last and volume. */
export function barAt(
  date: string,
  time: string,
  [open, high, low, last]: readonly [number, number, number, number],
  volume: number | null = 0,
): Bar {
  const day = toEpochDay(date as PlainDate);
  return { day, minute: minuteAt(date, time), open, high, low, last, volume };
}
