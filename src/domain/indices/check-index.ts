import { businessDaysBefore, settlementOf } from '../calendar/business-days.ts';
import {
  addDays,
  firstOfMonth,
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../calendar/plain-date.ts';
import type { SessionCalendar } from '../calendar/session-calendar.ts';
import { indexDefinitions, type IndexName } from './index-name.ts';
import type { DayValue, IndexSeries } from './index-series.ts';
import { mayHaveValue } from './index-value.ts';
import { agree } from './judge-index.ts';

/** What is wrong with the values of an index. */
export type IndexFault =
  /** Days in a row without a value, between others. */
  | { readonly type: 'gap'; readonly from: EpochDay; readonly to: EpochDay; readonly days: number }
  /** A value that its neighbours contradict, or after which all values have another level. */
  | { readonly type: 'jump'; readonly value: DayValue; readonly before: DayValue }
  /** No value reaches the day that the next settlement needs. */
  | {
      readonly type: 'stale';
      readonly last: EpochDay;
      readonly needed: EpochDay;
      /** Absent for an index of months. */
      readonly settlement?: PlainDate;
    };

/**
 * The days without a value between the first and the last one. An index of business days is compared with the
 * settlement days, in the years of which the calendar has holidays: without them, every holiday would be a gap.
 */
export function missingDays(
  index: IndexName,
  values: readonly DayValue[],
  calendar: SessionCalendar | undefined,
): readonly EpochDay[] {
  const [first, last] = [values[0]?.day, values.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  const isDue = dueDays(index, calendar);
  const held = new Set<number>(values.map(({ day }) => day));
  const missing: EpochDay[] = [];
  for (let day = first; day < last; day = (day + 1) as EpochDay) {
    if (!held.has(day) && isDue(day)) missing.push(day);
  }
  return missing;
}

/** Everything that is wrong with the values of an index, in the order of the days. None without values. */
export function faultsOf(
  index: IndexName,
  series: IndexSeries,
  {
    calendar,
    today,
  }: { readonly calendar: SessionCalendar | undefined; readonly today: PlainDate },
): readonly IndexFault[] {
  const values = series.all(index);
  const last = values.at(-1)?.day;
  if (last === undefined) return [];
  const faults: IndexFault[] = [
    ...gapsOf(missingDays(index, values, calendar), dueDays(index, calendar)),
    ...jumpsOf(index, values),
  ];
  faults.sort((a, b) => dayOf(a) - dayOf(b));
  if (calendar !== undefined) {
    const { day: needed, ...by } = neededDay(index, calendar, today);
    if (last < needed) faults.push({ type: 'stale', last, needed, ...by });
  }
  return faults;
}

/** The day of a month on which the value of the month before is published at the latest. */
const monthPublishedBy = 20;

/** The day whose value a trade of today needs, or one of the next session. Of an index of months, the last one due. */
export function neededDay(
  index: IndexName,
  calendar: SessionCalendar,
  today: PlainDate,
): { readonly settlement?: PlainDate; readonly day: EpochDay } {
  if (indexDefinitions[index].days === 'month-end') {
    const month = firstOfMonth(addDays(today, -monthPublishedBy));
    return { day: toEpochDay(addDays(month, -1)) };
  }
  const settlement = settlementOf(calendar, today, 'next-day');
  const day = businessDaysBefore(calendar, settlement, indexDefinitions[index].usualLag);
  return { settlement, day: toEpochDay(day) };
}

function dueDays(
  index: IndexName,
  calendar: SessionCalendar | undefined,
): (day: EpochDay) => boolean {
  if (indexDefinitions[index].days !== 'business') return (day) => mayHaveValue(index, day);
  if (calendar === undefined) return () => false;
  const years = new Set([...calendar.market.holidays.keys()].map((date) => date.slice(0, 4)));
  return (day) => calendar.isSettlementDay(day) && years.has(fromEpochDay(day).slice(0, 4));
}

/** Joins missing days between which no day is due. */
function gapsOf(
  missing: readonly EpochDay[],
  isDue: (day: EpochDay) => boolean,
): readonly IndexFault[] {
  const gaps: { type: 'gap'; from: EpochDay; to: EpochDay; days: number }[] = [];
  for (const day of missing) {
    const gap = gaps.at(-1);
    if (gap !== undefined && isNext(gap.to, day, isDue)) {
      gap.to = day;
      gap.days += 1;
    } else gaps.push({ type: 'gap', from: day, to: day, days: 1 });
  }
  return gaps;
}

function isNext(day: EpochDay, next: EpochDay, isDue: (day: EpochDay) => boolean): boolean {
  for (let one = (day + 1) as EpochDay; one < next; one = (one + 1) as EpochDay) {
    if (isDue(one)) return false;
  }
  return true;
}

/** A single value on another level is one jump, at its day, and not a second one at the day after it. */
function jumpsOf(index: IndexName, values: readonly DayValue[]): readonly IndexFault[] {
  const jumps: IndexFault[] = [];
  let before = values[0];
  for (const [place, value] of values.entries()) {
    if (before === undefined || place === 0) continue;
    if (agree(index, before, value) === false) {
      jumps.push({ type: 'jump', value, before });
      const next = values[place + 1];
      const isSlip = next !== undefined && agree(index, before, next) === true;
      if (isSlip) continue;
    }
    before = value;
  }
  return jumps;
}

function dayOf(fault: IndexFault): number {
  if (fault.type === 'gap') return fault.from;
  return fault.type === 'jump' ? fault.value.day : fault.last;
}
