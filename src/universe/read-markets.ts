import type { Node } from 'yaml';
import { hoursOn, type Market, type SessionHours } from '../domain/calendar/market.ts';
import { isoWeekday, toEpochDay } from '../domain/calendar/plain-date.ts';
import { readCalendars, type Calendar } from './read-calendars.ts';
import { readDate, readMinute } from './read-values.ts';
import { listed, type UniverseFault } from './files/universe-fault.ts';
import { YamlFile } from './files/yaml-file.ts';

/** The weekdays, from Monday. */
export const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** The contents of `markets.yaml`. */
export interface MarketTable {
  /** The markets without faults. */
  readonly markets: ReadonlyMap<string, Market>;
  /** The codes of all markets, faulty ones included; undefined when the file could not be read. */
  readonly codes: ReadonlySet<string> | undefined;
  readonly faults: readonly UniverseFault[];
}

/** Reads the markets and the calendars that they share. */
export function readMarkets(source: { readonly file: string; readonly text: string }): MarketTable {
  const yaml = new YamlFile(source);
  const markets = new Map<string, Market>();
  if (!yaml.isReadable) return { markets, codes: undefined, faults: yaml.faults };

  const file = yaml.fields(yaml.root, 'the file', {
    required: ['markets'],
    optional: ['calendars'],
  });
  const calendarsEntry = file.get('calendars');
  const calendars =
    calendarsEntry === undefined
      ? new Map<string, Calendar>()
      : readCalendars(yaml, calendarsEntry.value);

  const marketsEntry = file.get('markets');
  if (marketsEntry === undefined) return { markets, codes: undefined, faults: yaml.faults };
  const codes = new Set<string>();
  for (const { key, value } of yaml.entries(marketsEntry.value, '"markets"')) {
    codes.add(key);
    const market = readMarket(yaml, { code: key, node: value, calendars });
    if (market !== undefined) markets.set(key, market);
  }
  return { markets, codes, faults: yaml.faults };
}

function readMarket(
  yaml: YamlFile,
  from: {
    readonly code: string;
    readonly node: Node | null;
    readonly calendars: ReadonlyMap<string, Calendar>;
  },
): Market | undefined {
  const fields = yaml.fields(from.node, `the market ${from.code}`, {
    required: ['name', 'timeZone', 'weekdays', 'hours'],
    optional: ['calendar', 'settlementCalendar'],
  });
  const read = <T>(key: string, parse: (node: Node | null) => T | undefined): T | undefined => {
    const field = fields.get(key);
    return field === undefined ? undefined : parse(field.value);
  };

  const name = read('name', (node) => yaml.text(node, 'the name'));
  const timeZone = read('timeZone', (node) => readTimeZone(yaml, node));
  const weekdays = read('weekdays', (node) => readWeekdays(yaml, node));
  const hours = read('hours', (node) => readHours(yaml, node));
  const calendar = read('calendar', (node) => readCalendarName(yaml, node, from.calendars));
  const banks = read('settlementCalendar', (node) => readCalendarName(yaml, node, from.calendars));
  if (name === undefined || timeZone === undefined) return undefined;
  if (weekdays === undefined || hours === undefined) return undefined;

  if (calendar !== undefined) checkEarlyCloses(yaml, calendar, { code: from.code, hours });
  const holidays: Market['holidays'] = calendar?.holidays ?? new Map();
  // Nothing settles on a day without a session anyway.
  const unsettled = [...(banks?.holidays.keys() ?? [])].filter(
    (date) => weekdays.has(isoWeekday(toEpochDay(date))) && !holidays.has(date),
  );
  return {
    code: from.code,
    name,
    timeZone,
    weekdays,
    hours,
    holidays,
    unsettled: new Set(unsettled),
    earlyCloses: calendar?.earlyCloses ?? new Map(),
  };
}

/** Reads a time zone. Only named zones are accepted, because an offset has no daylight saving. */
function readTimeZone(yaml: YamlFile, node: Node | null): string | undefined {
  const text = yaml.text(node, 'the time zone');
  if (text === undefined || isTimeZone(text)) return text;
  yaml.fault(node, 'unknown time zone; use an IANA name such as America/Argentina/Buenos_Aires');
  return undefined;
}

function isTimeZone(text: string): boolean {
  try {
    // Of the classes that know time zones, this one loads least.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    return /^[A-Za-z]/.test(text);
  } catch {
    return false;
  }
}

function readWeekdays(yaml: YamlFile, node: Node | null): ReadonlySet<number> | undefined {
  const items = yaml.items(node, '"weekdays"');
  const days = new Set<number>();
  for (const item of items) {
    const text = yaml.text(item, 'a weekday');
    if (text === undefined) continue;
    const index = weekdayNames.indexOf(text);
    if (index === -1) yaml.fault(item, `unknown weekday; the weekdays are ${listed(weekdayNames)}`);
    else days.add(index + 1);
  }
  return days.size > 0 ? days : undefined;
}

function readHours(yaml: YamlFile, node: Node | null): readonly SessionHours[] | undefined {
  const items = yaml.items(node, '"hours"');
  const hours: SessionHours[] = [];
  for (const [index, item] of items.entries()) {
    const one = readOneHours(yaml, item);
    if (one === undefined) continue;
    const before = hours.at(-1)?.since ?? '';
    if (index === 0 && one.since !== undefined) {
      yaml.fault(item, 'the first hours apply from the beginning; remove "since"', one.since);
    } else if (index > 0 && (one.since === undefined || one.since <= before)) {
      yaml.fault(item, 'all hours but the first need a "since" that is later than the one before');
    } else {
      hours.push(one);
    }
  }
  return hours.length === items.length && hours.length > 0 ? hours : undefined;
}

function readOneHours(yaml: YamlFile, node: Node): SessionHours | undefined {
  const fields = yaml.fields(node, 'an entry of hours', {
    required: ['open', 'close'],
    optional: ['since'],
  });
  const open = fields.get('open');
  const close = fields.get('close');
  const sinceEntry = fields.get('since');
  const since = sinceEntry === undefined ? undefined : readDate(yaml, sinceEntry.value);
  const openMinute = open === undefined ? undefined : readMinute(yaml, open.value);
  const closeMinute = close === undefined ? undefined : readMinute(yaml, close.value);
  if (openMinute === undefined || closeMinute === undefined) return undefined;
  if (sinceEntry !== undefined && since === undefined) return undefined;
  if (openMinute >= closeMinute) {
    yaml.fault(close?.value ?? node, 'the close must be after the open, on the same day');
    return undefined;
  }
  return { ...(since === undefined ? {} : { since }), openMinute, closeMinute };
}

function readCalendarName(
  yaml: YamlFile,
  node: Node | null,
  calendars: ReadonlyMap<string, Calendar>,
): Calendar | undefined {
  const text = yaml.text(node, 'the calendar');
  if (text === undefined) return undefined;
  const calendar = calendars.get(text);
  if (calendar === undefined) {
    yaml.fault(node, `unknown calendar; the calendars are ${listed(calendars.keys())}`);
  }
  return calendar;
}

function checkEarlyCloses(
  yaml: YamlFile,
  calendar: Calendar,
  market: { readonly code: string; readonly hours: readonly SessionHours[] },
): void {
  for (const [date, minute] of calendar.earlyCloses) {
    const hours = hoursOn(market.hours, date);
    if (hours === undefined || (minute > hours.openMinute && minute <= hours.closeMinute)) continue;
    const node = calendar.earlyCloseNodes.get(date) ?? null;
    yaml.fault(
      node,
      `${market.code} is not open at this time on ${date}; an early close must be within the hours`,
    );
  }
}
