import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { minuteText, type Market, type SessionHours } from '../../domain/calendar/market.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { weekdayNames } from '../read-markets.ts';
import { insertEntries, type NewEntry } from './edit-files.ts';

/** The days of a calendar. */
type CalendarDays = Pick<Market, 'holidays' | 'earlyCloses'>;

/** The name of a calendar with its days. */
interface NamedCalendar {
  readonly name: string;
  readonly days: CalendarDays;
}

/**
 * Adds markets to the text of a `markets.yaml`, with calendars of their own. Markets with the same holidays
 * and early closes share a calendar, which is named after the first of them.
 */
export function addMarkets(text: string, markets: readonly Market[]): string {
  const used = calendarNames(text);
  const calendars = new Map<string, NamedCalendar>();
  const add = (code: string, days: CalendarDays): void => {
    const key = keyOf(days);
    if (key === '' || calendars.has(key)) return;
    const name = freeName(code, used);
    used.add(name);
    calendars.set(key, { name, days });
  };
  for (const market of markets) {
    add(market.code, market);
    add(`${market.code}-settlement`, settlementDaysOf(market));
  }
  const nameOf = (days: CalendarDays): string | undefined => calendars.get(keyOf(days))?.name;
  const withCalendars = insertEntries(
    text,
    'calendars',
    Array.from(calendars.values(), calendarEntry),
  );
  return insertEntries(
    withCalendars,
    'markets',
    markets.map((market) =>
      marketEntry(market, {
        calendar: nameOf(market),
        settlementCalendar: nameOf(settlementDaysOf(market)),
      }),
    ),
  );
}

function calendarNames(text: string): Set<string> {
  // The reader of the universe has accepted the text, with any number of aliases.
  const file = parse(text, { schema: 'failsafe', maxAliasCount: -1 }) as {
    readonly calendars?: object | null;
  };
  return new Set(Object.keys(file.calendars ?? {}));
}

function settlementDaysOf({ unsettled }: Market): CalendarDays {
  const days = Array.from(unsettled, (date): [PlainDate, string] => [date, 'Sin liquidación']);
  return { holidays: new Map(days), earlyCloses: new Map() };
}

/** The days of a calendar as a text that identifies them. Empty for none. */
function keyOf({ holidays, earlyCloses }: CalendarDays): string {
  return holidays.size + earlyCloses.size === 0
    ? ''
    : JSON.stringify([[...holidays].toSorted(byDate), [...earlyCloses].toSorted(byDate)]);
}

function freeName(code: string, used: ReadonlySet<string>): string {
  const name = code.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}-${count}`;
    if (!used.has(free)) return free;
  }
}

function calendarEntry({ name, days }: NamedCalendar): NewEntry {
  const holidays = [...days.holidays].toSorted(byDate);
  const earlyCloses = [...days.earlyCloses]
    .toSorted(byDate)
    .map(([date, minute]) => [date, minuteText(minute)] as const);
  return {
    key: name,
    value: {
      ...(holidays.length > 0 && { holidays: Object.fromEntries(holidays) }),
      ...(earlyCloses.length > 0 && { earlyCloses: Object.fromEntries(earlyCloses) }),
    },
  };
}

function byDate(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

function marketEntry(
  market: Market,
  named: Readonly<Record<'calendar' | 'settlementCalendar', string | undefined>>,
): NewEntry {
  const { name, timeZone, hours } = market;
  const weekdays = [...market.weekdays]
    .toSorted((a, b) => a - b)
    .map((day) => weekdayNames[day - 1] ?? '');
  const calendars = Object.entries(named).filter(([, calendar]) => calendar !== undefined);
  return {
    key: market.code,
    value: {
      name,
      timeZone,
      weekdays,
      ...Object.fromEntries(calendars),
      hours: hours.map(hoursFields),
    },
  };
}

function hoursFields({ since, openMinute, closeMinute }: SessionHours) {
  return {
    ...(since !== undefined && { since }),
    open: minuteText(openMinute),
    close: minuteText(closeMinute),
  };
}

/** What the days of two markets of one time zone differ in, for a sentence. Empty for equal days. */
export function differencesOf(one: Market, other: Market): readonly string[] {
  // Other names of the holidays change no session.
  const parts = [
    ['weekdays', one.weekdays, other.weekdays],
    ['hours', one.hours, other.hours],
    ['holidays', new Set(one.holidays.keys()), new Set(other.holidays.keys())],
    ['settlement days', one.unsettled, other.unsettled],
    ['early closes', one.earlyCloses, other.earlyCloses],
  ] as const;
  return parts.flatMap(([name, here, there]) => (isDeepStrictEqual(here, there) ? [] : [name]));
}
