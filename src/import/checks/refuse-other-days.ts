import { fromEpochDay, isoWeekday, type EpochDay } from '../../domain/calendar/plain-date.ts';
import { momentOf } from '../cells/date-format.ts';
import { cellAt } from '../cells/table.ts';
import type { BoundSeries } from '../names/binding.ts';
import { ImportRefusal, operatorKnows, type Advice } from '../refusals/import-refusal.ts';
import { closesIn, type Check, type CheckedTable } from './checked-table.ts';
import { afterCloseMinutesMax } from './settle.ts';

/**
 * Minimum number of days without a session that prove a shift. One of them may be a mistake, unless the time of
 * day or a whole week around it shows that it is not.
 */
const strayDaysMin = 2;

/** The number of sessions of a week, and of the days before and after one of them that it can be within. */
const [sessionsPerWeek, weekReach] = [5, 4] as const;

/** Minimum share of these days. A week has one of five. */
const strayShareMin = 0.1;

/**
 * The time of day, in minutes, from which an instant may be the start of the next day further east:
 * midnight in central Europe is 22:00 or 23:00 UTC of the day before.
 */
const lateMinute = 1320;

/** The times of day, in minutes, that are of another day in UTC+14, the easternmost zone, and in UTC-12. */
const [easternMinute, westernMinute] = [600, 720] as const;

const [monday, friday, saturday, sunday] = [1, 5, 6, 7] as const;

/**
 * Refuses dates that are a day early or late: closes on Sundays and none on Fridays, or on Saturdays and
 * none on Mondays. They come from instants that were written in another time zone. Also refuses instants
 * late in the day, from which nothing shows whether they are the end of that day or the start of the next
 * one.
 */
export const shiftedDays: Check = (table) => {
  const { reading, options } = table;
  if (options.zone === operatorKnows) return;
  const days = new Set<EpochDay>();
  let late: string | undefined;
  let isInstant = false;
  let isAfterClose = false;
  const isOfOtherDay = { early: false, late: false };
  let closesOnSundays = true;
  for (const { row, day, target } of closesIn(table, ...table.series)) {
    if (target === undefined || days.has(day)) continue;
    days.add(day);
    if (target.days.isSession(sundayAfter(day))) closesOnSundays = false;
    const moment = momentOf(cellAt(row, reading.date), reading);
    if (moment === undefined) continue;
    const { closeMinute } = target.days.hoursOf(day);
    if (moment.minute > closeMinute + afterCloseMinutesMax) isAfterClose = true;
    if (moment.instant === undefined) continue;
    isInstant = true;
    if (moment.minute >= easternMinute) isOfOtherDay.early = true;
    if (moment.minute < westernMinute) isOfOtherDay.late = true;
    if (moment.minute >= lateMinute) late ??= cellAt(row, reading.date).trim();
  }
  const isZoned = reading.zone !== undefined;
  const advice: Advice = { kind: 'choose-zone', suggestions: [{ zone: operatorKnows }] };
  // The days of a market that is open all week show nothing.
  const shift = closesOnSundays ? shiftOf([...days], isInstant || isAfterClose) : undefined;
  if (shift !== undefined) {
    throw new ImportRefusal(
      'not-prices',
      `there are closes on ${shift.on} and none on ${shift.off} (for example ${shift.example}), so the ` +
        `dates are a day ${shift.by}: they are of another time zone`,
      !isZoned && isOfOtherDay[shift.by] ? advice : undefined,
    );
  }
  if (late === undefined || isZoned || (closesOnSundays && areSessions([...days]))) return;
  throw new ImportRefusal(
    'ambiguous',
    `"${late}" may be the end of that day or, in another time zone, the start of the next one`,
    advice,
  );
};

function shiftOf(
  days: readonly EpochDay[],
  isTimed: boolean,
):
  | {
      readonly on: string;
      readonly off: string;
      readonly by: 'early' | 'late';
      readonly example: string;
    }
  | undefined {
  const on = (weekday: number) => days.filter((day) => isoWeekday(day) === weekday);
  const isInWeek = (day: EpochDay) =>
    days.filter((other) => Math.abs(other - day) <= weekReach).length >= sessionsPerWeek;
  const isProof = (stray: readonly EpochDay[]) => {
    const strayMin = isTimed || stray.every(isInWeek) ? 1 : strayDaysMin;
    return stray.length >= Math.max(strayMin, days.length * strayShareMin);
  };
  const [sundays, saturdays] = [on(sunday), on(saturday)];
  const [example = sundays[0] ?? saturdays[0]] = sundays;
  if (example === undefined) return undefined;
  const shown = fromEpochDay(example);
  if (saturdays.length === 0 && isProof(sundays) && on(friday).length === 0) {
    return { on: 'Sundays', off: 'Fridays', by: 'early', example: shown };
  }
  if (sundays.length === 0 && isProof(saturdays) && on(monday).length === 0) {
    return { on: 'Saturdays', off: 'Mondays', by: 'late', example: shown };
  }
  return undefined;
}

/** Whether the days themselves show that they are right: Fridays, and no day of a weekend. */
function areSessions(days: readonly EpochDay[]): boolean {
  return days.some((day) => isoWeekday(day) === friday) && !days.some(isWeekend);
}

function sundayAfter(day: EpochDay): EpochDay {
  return (day + sunday - isoWeekday(day)) as EpochDay;
}

function isWeekend(day: EpochDay): boolean {
  return isoWeekday(day) >= saturday;
}

/** Minimum number of distances between days that prove an interval. */
const distancesMin = 3;

/** Minimum share of the distances that are one interval. Bars may lack a week or a month. */
const share = 0.9;

/** The longer intervals of bars, with the test of two consecutive days. */
const intervals = [
  { name: 'week', bars: 'weekly', fits: isWeek },
  { name: 'month', bars: 'monthly', fits: (a: EpochDay, b: EpochDay) => months(a, b) === 1 },
  { name: 'quarter', bars: 'quarterly', fits: (a: EpochDay, b: EpochDay) => months(a, b) === 3 },
  { name: 'year', bars: 'yearly', fits: (a: EpochDay, b: EpochDay) => months(a, b) === 12 },
] as const;

/**
 * Refuses bars of weeks, months, quarters and years. A day of such a bar is its first or last one, so its
 * close is not that of the day. A daily series of an instrument that hardly trades has irregular gaps.
 */
export const longerBars: Check = (table) => {
  // What this program exports is daily, whatever its days.
  if (table.reading.layout === 'pizarra') return;
  const pairs = table.series.flatMap((one) => pairsOf(daysOf(table, one)));
  if (pairs.length < distancesMin) return;
  for (const { name, bars, fits } of intervals) {
    if (!areMost(pairs, fits)) continue;
    const shown = pairs.slice(0, distancesMin).map(([day]) => fromEpochDay(day));
    throw new ImportRefusal(
      'not-prices',
      `the rows are a ${name} apart (${shown.join(', ')}, …), so these are ${bars} bars and not daily ` +
        'closes; download the daily series',
    );
  }
};

/** The days of each instrument of a series, ascending. */
function daysOf(table: CheckedTable, one: BoundSeries): readonly (readonly EpochDay[])[] {
  const byName = Map.groupBy(closesIn(table, one), ({ name }) => name);
  return Array.from(byName.values(), (closes) =>
    [...new Set(closes.map(({ day }) => day))].toSorted((a, b) => a - b),
  );
}

function pairsOf(lists: readonly (readonly EpochDay[])[]): (readonly [EpochDay, EpochDay])[] {
  return lists.flatMap((days) =>
    days.flatMap((day, at) => {
      const next = days[at + 1];
      return next === undefined ? [] : [[day, next] as const];
    }),
  );
}

/** Stops at the first pair that leaves too few: the days of most files are daily, and none of their pairs fits. */
function areMost(
  pairs: readonly (readonly [EpochDay, EpochDay])[],
  fits: (a: EpochDay, b: EpochDay) => boolean,
): boolean {
  let left = pairs.length;
  for (const [a, b] of pairs) {
    if (fits(a, b)) continue;
    left -= 1;
    if (left < pairs.length * share) return false;
  }
  return true;
}

/** Seven days, or a day more or less around a holiday. */
function isWeek(a: EpochDay, b: EpochDay): boolean {
  return Math.abs(b - a - 7) <= 1;
}

function months(a: EpochDay, b: EpochDay): number {
  const [from, to] = [a, b].map((day) => {
    const [year, month] = fromEpochDay(day).split('-').map(Number);
    return (year ?? 0) * 12 + (month ?? 0);
  });
  return (to ?? 0) - (from ?? 0);
}
