import type { Node } from 'yaml';
import { hoursOn, type Market, type SessionHours } from '../domain/calendar/market.ts';
import { isoWeekday, toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import { isTimeZone } from '../lib/time/time-zone.ts';
import { listed, type UniverseFault, type FileText } from './files/universe-fault.ts';
import { YamlFile } from './files/yaml-file.ts';
import * as shapes from './files/yaml-shapes.ts';
import type { ReadOf, Shape } from './files/yaml-shapes.ts';

/** The weekdays, from Monday. */
export const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** The contents of `markets.yaml`. */
interface MarketTable {
  /** The markets without faults. */
  readonly markets: ReadonlyMap<string, Market>;
  /** The codes of all markets, faulty ones included; undefined when the file could not be read. */
  readonly codes: ReadonlySet<string> | undefined;
  readonly faults: readonly UniverseFault[];
}

/** Holidays and early closes that several markets share. */
interface Calendar {
  readonly holidays: ReadonlyMap<PlainDate, string>;
  readonly earlyCloses: ReadonlyMap<PlainDate, number>;
  /** The node of each early close, and of those that became holidays, for faults that depend on a market's hours. */
  readonly earlyCloseNodes: ReadonlyMap<PlainDate, Node | null>;
}

/** The name of a calendar. */
function calendarName(
  what: string,
  known: ReadonlyMap<string, Calendar>,
  unknown: string,
): Shape<Calendar> {
  return {
    schema: shapes.text(what).schema,
    read(yaml, node) {
      const name = yaml.text(node, what);
      const calendar = name === undefined ? undefined : known.get(name);
      if (name !== undefined && calendar === undefined) {
        yaml.fault(node, `${unknown} ${listed(known.keys())}`);
      }
      return calendar;
    },
  };
}

/** A calendar may only extend one that is defined above it, so circular references are impossible. */
const calendarShape = (above: ReadonlyMap<string, Calendar>) => {
  const unknown = 'unknown calendar; a calendar can extend only the calendars above it:';
  return shapes.record(
    (name) => `the calendar ${name}`,
    {
      extends: calendarName('the extended calendar', above, unknown),
      holidays: shapes.byDate('"holidays"', shapes.text('the name of a holiday')),
      holidaysByName: shapes.map('"holidaysByName"', shapes.dates),
      earlyCloses: shapes.byDate('"earlyCloses"', shapes.minute),
    },
    [],
    {
      extends: 'A calendar above this one, whose days this one has too.',
      holidays: 'Days without a session, with their names.',
      holidaysByName: 'The days of a holiday in many years, with white space between them.',
      earlyCloses: 'Days with an early close, with its time.',
    },
  );
};

/** Only named time zones are accepted, because an offset has no daylight saving. */
const timeZone = shapes.parsed(
  'the time zone',
  (written) => (/^[A-Za-z]/.test(written) && isTimeZone(written) ? written : undefined),
  'unknown time zone; use an IANA name such as America/Argentina/Buenos_Aires',
  { type: 'string', pattern: '^[A-Za-z]' },
);

const weekday = shapes.choice(
  'a weekday',
  weekdayNames,
  `unknown weekday; the weekdays are ${listed(weekdayNames)}`,
);

const { minute, date } = shapes;
const times = ['open', 'close'] as const;
const oneHours = shapes.record(
  'an entry of hours',
  { open: minute, close: minute, since: date },
  times,
);
const { since: _, ...firstTimes } = oneHours.schema['properties'] as Record<string, unknown>;

/** The first hours apply from the beginning, the others from a day. */
const hours: Shape<readonly SessionHours[]> = {
  schema: {
    type: 'array',
    minItems: 1,
    items: [{ ...oneHours.schema, properties: firstTimes }],
    additionalItems: { ...oneHours.schema, required: [...times, 'since'] },
  },
  read(yaml, node) {
    const items = yaml.items(node, '"hours"');
    const read: SessionHours[] = [];
    for (const [index, item] of items.entries()) {
      const one = toHours(yaml, item);
      if (one === undefined) continue;
      const before = read.at(-1)?.since ?? '';
      if (index === 0 && one.since !== undefined) {
        yaml.fault(item, 'the first hours apply from the beginning; remove "since"', one.since);
      } else if (index > 0 && (one.since === undefined || one.since <= before)) {
        yaml.fault(
          item,
          'all hours but the first need a "since" that is later than the one before',
        );
      } else read.push(one);
    }
    return read.length === items.length && read.length > 0 ? read : undefined;
  },
};

function toHours(yaml: YamlFile, node: Node): SessionHours | undefined {
  const fields = oneHours.read(yaml, node, '');
  const { open: openMinute, close: closeMinute, since } = fields ?? {};
  if (fields === undefined || openMinute === undefined || closeMinute === undefined) {
    return undefined;
  }
  if ('since' in fields && since === undefined) return undefined;
  if (openMinute < closeMinute) return { ...(since && { since }), openMinute, closeMinute };
  const close = yaml.valueIn(node, 'close') ?? node;
  yaml.fault(close, 'the close must be after the open, on the same day');
  return undefined;
}

const marketShape = (calendars: ReadonlyMap<string, Calendar>) => {
  const calendar = calendarName('the calendar', calendars, 'unknown calendar; the calendars are');
  return shapes.record(
    (code) => `the market ${code}`,
    {
      name: shapes.text('the name'),
      timeZone,
      weekdays: shapes.list('"weekdays"', weekday),
      hours,
      calendar,
      settlementCalendar: calendar,
    },
    ['name', 'timeZone', 'weekdays', 'hours'],
    {
      timeZone: 'An IANA name.',
      calendar: 'The calendar of the days without a session.',
      settlementCalendar:
        'The calendar of the days without settlement. By default, each session settles.',
    },
  );
};

/** The calendars are read before the markets, wherever the file has them. */
const fileShape = shapes.record(
  'the file',
  {
    calendars: shapes.later(shapes.mapSchema(calendarShape(new Map()).schema)),
    markets: shapes.later(shapes.mapSchema(marketShape(new Map()).schema)),
  },
  ['markets'],
);

/** The JSON Schema of `markets.yaml`. */
export const marketsSchema = fileShape.schema;

/** Reads the markets and the calendars that they share. */
export function readMarkets(source: FileText): MarketTable {
  const yaml = new YamlFile(source);
  const markets = new Map<string, Market>();
  if (!yaml.isReadable) return { markets, codes: undefined, faults: yaml.faults };
  const file = fileShape.read(yaml, yaml.root, '') ?? {};
  const calendars = new Map<string, Calendar>();
  if (file.calendars !== undefined) {
    for (const { key, value } of yaml.entries(file.calendars, '"calendars"')) {
      const fields = calendarShape(calendars).read(yaml, value, key);
      calendars.set(key, toCalendar(yaml, fields ?? {}));
    }
  }
  if (file.markets === undefined) return { markets, codes: undefined, faults: yaml.faults };
  const codes = new Set<string>();
  for (const { key, value } of yaml.entries(file.markets, '"markets"')) {
    codes.add(key);
    const fields = marketShape(calendars).read(yaml, value, key);
    const market = fields && toMarket(yaml, key, fields);
    if (market !== undefined) markets.set(key, market);
  }
  return { markets, codes, faults: yaml.faults };
}

function toCalendar(yaml: YamlFile, fields: ReadOf<ReturnType<typeof calendarShape>>): Calendar {
  const {
    extends: base,
    holidaysByName = [],
    holidays: own = [],
    earlyCloses: early = [],
  } = fields;
  const holidays = new Map(base?.holidays);
  const earlyCloses = new Map(base?.earlyCloses);
  const earlyCloseNodes = new Map(base?.earlyCloseNodes);
  const named = holidaysByName.flatMap(({ key, read }) => read.map((day) => [day, key] as const));
  for (const [day, name] of [...named, ...own.map((one) => [one.date, one.read] as const)]) {
    holidays.set(day, name);
    // A calendar may turn an early close of the extended calendar into a holiday.
    earlyCloses.delete(day);
  }
  for (const { date: day, read, keyNode, value } of early) {
    if (holidays.has(day)) {
      yaml.fault(keyNode, 'the day is a holiday of this calendar; it cannot close early');
      continue;
    }
    earlyCloses.set(day, read);
    earlyCloseNodes.set(day, value);
  }
  return { holidays, earlyCloses, earlyCloseNodes };
}

function toMarket(
  yaml: YamlFile,
  code: string,
  fields: ReadOf<ReturnType<typeof marketShape>>,
): Market | undefined {
  const { name, timeZone: zone, weekdays: days, hours: open, calendar } = fields;
  if (name === undefined || zone === undefined || open === undefined) return undefined;
  if (days === undefined || days.length === 0) return undefined;
  if (calendar !== undefined) checkEarlyCloses(yaml, calendar, { code, hours: open });
  const weekdays = new Set(days.map((day) => weekdayNames.indexOf(day) + 1));
  const holidays: Market['holidays'] = calendar?.holidays ?? new Map();
  // Nothing settles on a day without a session anyway.
  const unsettled = [...(fields.settlementCalendar?.holidays.keys() ?? [])].filter(
    (day) => weekdays.has(isoWeekday(toEpochDay(day))) && !holidays.has(day),
  );
  return {
    code,
    name,
    timeZone: zone,
    weekdays,
    hours: open,
    holidays,
    unsettled: new Set(unsettled),
    earlyCloses: calendar?.earlyCloses ?? new Map(),
  };
}

function checkEarlyCloses(
  yaml: YamlFile,
  calendar: Calendar,
  market: { readonly code: string; readonly hours: readonly SessionHours[] },
): void {
  for (const [day, closes] of calendar.earlyCloses) {
    const open = hoursOn(market.hours, day);
    if (open === undefined || (closes > open.openMinute && closes <= open.closeMinute)) continue;
    yaml.fault(
      calendar.earlyCloseNodes.get(day) ?? null,
      `${market.code} is not open at this time on ${day}; an early close must be within the hours`,
    );
  }
}
