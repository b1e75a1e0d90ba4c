import { fromEpochDay, isoWeekday } from '../../domain/calendar/plain-date.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { operatorKnows } from '../refusals/advice.ts';
import type { Advice } from '../refusals/advice.ts';
import type { BoundSeries } from '../names/binding.ts';
import { momentOf } from '../cells/day-of.ts';
import { cellAt } from '../cells/table.ts';
import { closesInHead } from './head-closes.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import type { TableHead } from '../layouts/layout.ts';
import type { SettledReading } from '../recognition/recognise.ts';

/** Minimum number of days without a session that prove a shift, where the dates have no time. */
const strayDaysMin = 2;

/** Minimum share of these days. A week has one of five. */
const strayShareMin = 0.1;

/**
 * The time of day, in minutes, from which an instant may be the start of the next day further east:
 * midnight in central Europe is 22:00 or 23:00 UTC of the day before.
 */
const lateMinute = 1320;

const [monday, friday, saturday, sunday] = [1, 5, 6, 7] as const;

/**
 * Refuses dates that are a day early or late: closes on Sundays and none on Fridays, or on Saturdays and
 * none on Mondays. They come from instants that were written in another time zone. Also refuses instants
 * late in the day, from which nothing shows whether they are the end of that day or the start of the next
 * one.
 *
 * @throws {ImportRefusal} `not-prices` or `ambiguous`, with the option that decides for instants.
 */
export function refuseShiftedDays(
  head: TableHead,
  reading: SettledReading,
  series: readonly BoundSeries[],
): void {
  const days = new Set<EpochDay>();
  let late: string | undefined;
  let isInstant = false;
  let closesOnSundays = true;
  for (const one of series) {
    for (const { row, day, target } of closesInHead(head, reading, one)) {
      if (target === undefined || days.has(day)) continue;
      days.add(day);
      if (target.days.isSession(sundayAfter(day))) closesOnSundays = false;
      const moment = momentOf(cellAt(row, reading.date), reading);
      if (moment?.instant === undefined) continue;
      isInstant = true;
      if (moment.minute >= lateMinute) late ??= cellAt(row, reading.date).trim();
    }
  }
  const isZoned = reading.zone !== undefined;
  const advice: Advice = { kind: 'choose-zone', suggestions: [{ zone: operatorKnows }] };
  const options = isInstant && !isZoned ? { advice } : {};
  // The days of a market that is open all week show nothing.
  const shift = closesOnSundays ? shiftOf([...days], isInstant) : undefined;
  if (shift !== undefined) {
    throw new ImportRefusal(
      'not-prices',
      `there are closes on ${shift.on} and none on ${shift.off} (for example ${shift.example}), so the ` +
        `dates are a day ${shift.by}: they are of another time zone`,
      options,
    );
  }
  if (late === undefined || isZoned || (closesOnSundays && areSessions([...days]))) return;
  throw new ImportRefusal(
    'ambiguous',
    `"${late}" may be the end of that day or, in another time zone, the start of the next one`,
    options,
  );
}

function shiftOf(
  days: readonly EpochDay[],
  isInstant: boolean,
):
  | { readonly on: string; readonly off: string; readonly by: string; readonly example: string }
  | undefined {
  const on = (weekday: number) => days.filter((day) => isoWeekday(day) === weekday);
  const isProof = (stray: readonly EpochDay[]) =>
    stray.length >= (isInstant ? 1 : strayDaysMin) && stray.length >= days.length * strayShareMin;
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
