import type { Node } from 'yaml';
import { parsePlainDate, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { YamlEntry, YamlFile } from './files/yaml-file.ts';

const noDate = 'not a valid date; use YYYY-MM-DD and a day that exists';
const timeShape = /^([01]\d|2[0-4]):([0-5]\d)$/;

/** The pattern of the times that {@link readMinute} accepts. */
export const timePattern = '^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$';
const minutesPerDay = 1440;

/** Reads a date from a value. */
export function readDate(yaml: YamlFile, node: Node | null): PlainDate | undefined {
  const text = yaml.text(node, 'a date');
  if (text === undefined) return undefined;
  const date = parsePlainDate(text);
  if (date === undefined) yaml.fault(node, noDate);
  return date;
}

/** Reads a date from a key. */
export function parseDateKey(yaml: YamlFile, entry: YamlEntry): PlainDate | undefined {
  const date = parsePlainDate(entry.key);
  if (date === undefined) yaml.fault(entry.keyNode, noDate);
  return date;
}

/** Reads dates from a text with white space between them. Reports each one that is not valid. */
export function readDates(yaml: YamlFile, node: Node | null): readonly PlainDate[] {
  const texts = yaml.text(node, 'a list of dates')?.split(/\s+/) ?? [];
  return texts.flatMap((text) => {
    const date = parsePlainDate(text);
    if (date === undefined) yaml.fault(node, noDate, text);
    return date ?? [];
  });
}

/** Reads a time of day, `HH:MM` from 00:00 to 24:00, as minutes since midnight. */
export function readMinute(yaml: YamlFile, node: Node | null): number | undefined {
  const text = yaml.text(node, 'a time');
  if (text === undefined) return undefined;
  const [, hours, minutes] = timeShape.exec(text) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  if (minute <= minutesPerDay) return minute;
  yaml.fault(node, 'not a valid time; use HH:MM, from 00:00 to 24:00');
  return undefined;
}
