import { joinBars, msPerMinute, type Bar } from './minute-bar.ts';
import { fromEpochDay, type EpochDay, type PlainDate } from '../calendar/plain-date.ts';

/** The lengths of bars, in minutes. Each one divides an hour, and the next one. */
export const barIntervals = [1, 5, 15, 60] as const;

/** One of the lengths of bars, in minutes. */
export type BarInterval = (typeof barIntervals)[number];

/** The longest one. */
export const longestBarInterval = 60 satisfies BarInterval;

/** What the alignment of bars needs of a market's calendar. */
export interface DayStarts {
  /** 00:00 of a day in the time zone of the market, in epoch milliseconds. */
  startOfDay(date: PlainDate): number;
}

/**
 * The minute in which the bar of an interval starts that a minute belongs to. Bars are aligned to the
 * clock of the market: an hour bar starts at the full hour of its time zone.
 */
export function startOfBar(
  { day, minute }: Pick<Bar, 'day' | 'minute'>,
  interval: BarInterval,
  calendar: DayStarts,
): number {
  const dayStart = startMinuteOf(day, calendar);
  return minute - ((((minute - dayStart) % interval) + interval) % interval);
}

/**
 * Joins minutes to bars of an interval. The last bar may still lack minutes.
 *
 * @param minutes ascending, of one instrument.
 */
export function barsOf(
  minutes: readonly Bar[],
  interval: BarInterval,
  calendar: DayStarts,
): readonly Bar[] {
  if (interval === 1) return minutes;
  const bars: Bar[] = [];
  for (const one of minutes) {
    const minute = startOfBar(one, interval, calendar);
    const current = bars.at(-1);
    if (current?.minute === minute) bars[bars.length - 1] = joinBars(current, one);
    else bars.push({ ...one, minute });
  }
  return bars;
}

/** Starts of days that were computed before, by calendar. They need time-zone arithmetic. */
const known = new WeakMap<DayStarts, Map<EpochDay, number>>();

/** Maximum number of days that are remembered for a calendar. */
const daysMax = 64;

function startMinuteOf(day: EpochDay, calendar: DayStarts): number {
  let days = known.get(calendar);
  if (days === undefined) known.set(calendar, (days = new Map()));
  const held = days.get(day);
  if (held !== undefined) return held;
  if (days.size >= daysMax) days.clear();
  const start = Math.floor(calendar.startOfDay(fromEpochDay(day)) / msPerMinute);
  days.set(day, start);
  return start;
}
