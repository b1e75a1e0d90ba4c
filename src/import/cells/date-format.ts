import { epochDayOf, isCalendarDay } from '../../domain/plain-date.ts';
import type { EpochDay } from '../../domain/plain-date.ts';
import { monthOfName } from './month-names.ts';

/**
 * The known formats of dates. The separators `-`, `/`, `.` and space are equivalent. `MON` is the
 * name of a month in English or Spanish.
 */
export const dateFormats = [
  'YYYY-MM-DD',
  'YYYYMMDD',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD/MM/YY',
  'MM/DD/YY',
  'YY-MM-DD',
  'DD-MON-YYYY',
  'MON-DD-YYYY',
  'YYYY-MON-DD',
] as const;

/** One of {@link dateFormats}. */
export type DateFormat = (typeof dateFormats)[number];

/** Two-digit years from this one on are in the 20th century: 69 is 1969, and 68 is 2068. */
const firstYearOf1900s = 69;

type Part = 'day' | 'month' | 'year';

/**
 * The pattern of a format, with three groups and the rest of the cell, and the part in each group.
 */
interface Shape {
  readonly pattern: RegExp;
  readonly parts: readonly [Part, Part, Part];
}

const threeNumbers = /^\s*(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)(.*)$/;
const shortYearLast = /^\s*(\d{1,2})[-/.](\d{1,2})[-/.](\d{2})(?!\d)(.*)$/;
// "7 de septiembre de 2020", "07-sep-2020", "7/Sept./20"
const nameSecond =
  /^\s*(\d{1,2})(?:[-/. ]| de )\s*(\p{L}{3,10})\.?(?:[-/. ]| de )\s*(\d{4}|\d{2})(?!\d)(.*)$/u;
const nameFirst = /^\s*(\p{L}{3,10})\.?[-/. ]\s*(\d{1,2})(?:,|[-/. ])\s*(\d{4})(?!\d)(.*)$/u;

const shapes: Readonly<Record<DateFormat, Shape>> = {
  'YYYY-MM-DD': {
    pattern: /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(.*)$/,
    parts: ['year', 'month', 'day'],
  },
  YYYYMMDD: {
    pattern: /^\s*(\d{4})(\d{2})(\d{2})(?!\d)(.*)$/,
    parts: ['year', 'month', 'day'],
  },
  'DD/MM/YYYY': { pattern: threeNumbers, parts: ['day', 'month', 'year'] },
  'MM/DD/YYYY': { pattern: threeNumbers, parts: ['month', 'day', 'year'] },
  'DD/MM/YY': { pattern: shortYearLast, parts: ['day', 'month', 'year'] },
  'MM/DD/YY': { pattern: shortYearLast, parts: ['month', 'day', 'year'] },
  'YY-MM-DD': {
    pattern: /^\s*(\d{2})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(.*)$/,
    parts: ['year', 'month', 'day'],
  },
  'DD-MON-YYYY': { pattern: nameSecond, parts: ['day', 'month', 'year'] },
  'MON-DD-YYYY': { pattern: nameFirst, parts: ['month', 'day', 'year'] },
  'YYYY-MON-DD': {
    pattern: /^\s*(\d{4})[-/. ]\s*(\p{L}{3,10})\.?[-/. ]\s*(\d{1,2})(?!\d)(.*)$/u,
    parts: ['year', 'month', 'day'],
  },
};
const timeOfDay =
  /^(?:[T ]+(\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(?:[AP]M)?\s*(?:Z|UTC|[-+]\d{2}:?\d{2})?)?\s*$/i;

/** Parses a date. Undefined when the cell has another format or the day does not exist. */
export function parseDate(cell: string, format: DateFormat): EpochDay | undefined {
  if (format === 'YYYY-MM-DD' && cell.length === 10) {
    const fast = parseIso(cell);
    if (fast !== undefined) return fast;
  }
  const { pattern, parts } = shapes[format];
  const match = pattern.exec(cell);
  if (match === null || !timeOfDay.test(match[4] ?? '')) return undefined;
  const of = (part: Part): string => match[parts.indexOf(part) + 1] ?? '';
  return dayOf(yearOf(of('year')), monthOf(of('month')), Number(of('day')));
}

/** Whether a cell is a date in any of {@link dateFormats}. */
export function isDate(cell: string): boolean {
  return dateFormats.some((format) => parseDate(cell, format) !== undefined);
}

/** The time of day in a cell, to the minute; empty when it has none. */
export function timeIn(cell: string): string {
  return /[T ](\d{1,2}:\d{2})/.exec(cell)?.[1] ?? '';
}

function yearOf(text: string): number {
  const year = Number(text);
  if (text.length !== 2) return year;
  return year < firstYearOf1900s ? 2000 + year : 1900 + year;
}

function monthOf(text: string): number {
  const month = Number(text);
  // A month of 0 does not exist: it stands for an unknown name.
  return Number.isNaN(month) ? (monthOfName(text) ?? 0) : month;
}

function parseIso(cell: string): EpochDay | undefined {
  if (cell.charCodeAt(4) !== 45 || cell.charCodeAt(7) !== 45) return undefined;
  const year = digits(cell, 0) * 100 + digits(cell, 2);
  return dayOf(year, digits(cell, 5), digits(cell, 8));
}

/** The number in two characters; larger than any valid part when they are not digits. */
function digits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const units = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : 1e6;
}

function dayOf(year: number, month: number, day: number): EpochDay | undefined {
  return isCalendarDay(year, month, day) ? epochDayOf(year, month, day) : undefined;
}
