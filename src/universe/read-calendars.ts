import type { Node } from 'yaml';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import { parseDateKey, readDates, readMinute } from './read-values.ts';
import { listed } from './files/universe-fault.ts';
import type { YamlFile } from './files/yaml-file.ts';

/** Holidays and early closes that several markets share. */
export interface Calendar {
  readonly holidays: ReadonlyMap<PlainDate, string>;
  readonly earlyCloses: ReadonlyMap<PlainDate, number>;
  /** The node of each early close, and of those that became holidays, for faults that depend on a market's hours. */
  readonly earlyCloseNodes: ReadonlyMap<PlainDate, Node | null>;
}

/**
 * Reads the calendars. A calendar may only extend one that is defined above it, so circular
 * references are impossible.
 */
export function readCalendars(yaml: YamlFile, node: Node | null): ReadonlyMap<string, Calendar> {
  const calendars = new Map<string, Calendar>();
  for (const { key, value } of yaml.entries(node, '"calendars"')) {
    calendars.set(key, readCalendar(yaml, { name: key, node: value, above: calendars }));
  }
  return calendars;
}

function readCalendar(
  yaml: YamlFile,
  from: {
    readonly name: string;
    readonly node: Node | null;
    readonly above: ReadonlyMap<string, Calendar>;
  },
): Calendar {
  const fields = yaml.fields(from.node, `the calendar ${from.name}`, {
    required: [],
    optional: ['extends', 'holidays', 'holidaysByName', 'earlyCloses'],
  });
  const base = readBase(yaml, fields.get('extends')?.value, from.above);
  const holidays = new Map(base?.holidays);
  const earlyCloses = new Map(base?.earlyCloses);
  const earlyCloseNodes = new Map(base?.earlyCloseNodes);

  const addHoliday = (date: PlainDate, name: string): void => {
    holidays.set(date, name);
    // A calendar may turn an early close of the extended calendar into a holiday.
    earlyCloses.delete(date);
  };
  const named = fields.get('holidaysByName')?.value;
  for (const { key, value } of entriesOf(yaml, named, '"holidaysByName"')) {
    for (const date of readDates(yaml, value)) addHoliday(date, key);
  }
  for (const entry of entriesOf(yaml, fields.get('holidays')?.value, '"holidays"')) {
    const date = parseDateKey(yaml, entry);
    const name = yaml.text(entry.value, 'the name of a holiday');
    if (date !== undefined && name !== undefined) addHoliday(date, name);
  }
  for (const entry of entriesOf(yaml, fields.get('earlyCloses')?.value, '"earlyCloses"')) {
    const date = parseDateKey(yaml, entry);
    const minute = readMinute(yaml, entry.value);
    if (date === undefined || minute === undefined) continue;
    if (holidays.has(date)) {
      yaml.fault(entry.keyNode, 'the day is a holiday of this calendar; it cannot close early');
      continue;
    }
    earlyCloses.set(date, minute);
    earlyCloseNodes.set(date, entry.value);
  }
  return { holidays, earlyCloses, earlyCloseNodes };
}

function entriesOf(yaml: YamlFile, node: Node | null | undefined, what: string) {
  return node === undefined ? [] : yaml.entries(node, what);
}

function readBase(
  yaml: YamlFile,
  node: Node | null | undefined,
  above: ReadonlyMap<string, Calendar>,
): Calendar | undefined {
  if (node === undefined) return undefined;
  const text = yaml.text(node, 'the extended calendar');
  if (text === undefined) return undefined;
  const base = above.get(text);
  if (base === undefined) {
    yaml.fault(
      node,
      `unknown calendar; a calendar can extend only the calendars above it: ${listed(above.keys())}`,
    );
  }
  return base;
}
