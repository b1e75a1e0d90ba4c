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

/** The parts of a date, as written. */
interface Parts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

/**
 * The pattern of a format, with groups for the three parts and the rest of the cell, and the order
 * of the parts.
 */
interface Shape {
  readonly pattern: RegExp;
  readonly order: (first: string, second: string, third: string) => Parts;
}

const yearFirst = (year: string, month: string, day: string): Parts => ({ year, month, day });
const dayFirst = (day: string, month: string, year: string): Parts => ({ year, month, day });
const monthFirst = (month: string, day: string, year: string): Parts => ({ year, month, day });

const threeNumbers = /^\s*(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)(.*)$/;
const shortYearLast = /^\s*(\d{1,2})[-/.](\d{1,2})[-/.](\d{2})(?!\d)(.*)$/;
// "7 de septiembre de 2020", "07-sep-2020", "7/Sept./20"
const nameSecond =
  /^\s*(\d{1,2})(?:[-/. ]| de )\s*(\p{L}{3,10})\.?(?:[-/. ]| de )\s*(\d{4}|\d{2})(?!\d)(.*)$/u;
const nameFirst = /^\s*(\p{L}{3,10})\.?[-/. ]\s*(\d{1,2})(?:,|[-/. ])\s*(\d{4})(?!\d)(.*)$/u;

const shapes: Readonly<Record<DateFormat, Shape>> = {
  'YYYY-MM-DD': {
    pattern: /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(.*)$/,
    order: yearFirst,
  },
  YYYYMMDD: {
    pattern: /^\s*(\d{4})(\d{2})(\d{2})(?!\d)(.*)$/,
    order: yearFirst,
  },
  'DD/MM/YYYY': { pattern: threeNumbers, order: dayFirst },
  'MM/DD/YYYY': { pattern: threeNumbers, order: monthFirst },
  'DD/MM/YY': { pattern: shortYearLast, order: dayFirst },
  'MM/DD/YY': { pattern: shortYearLast, order: monthFirst },
  'YY-MM-DD': {
    pattern: /^\s*(\d{2})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(.*)$/,
    order: yearFirst,
  },
  'DD-MON-YYYY': { pattern: nameSecond, order: dayFirst },
  'MON-DD-YYYY': { pattern: nameFirst, order: monthFirst },
  'YYYY-MON-DD': {
    pattern: /^\s*(\d{4})[-/. ]\s*(\p{L}{3,10})\.?[-/. ]\s*(\d{1,2})(?!\d)(.*)$/u,
    order: yearFirst,
  },
};
const timeOfDay =
  /^(?:[T ]+(\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(?:[AP]M)?\s*(?:Z|UTC|[-+]\d{2}:?\d{2})?)?\s*$/i;

/** Parses a date. Undefined when the cell has another format or the day does not exist. */
export function parseDate(cell: string, format: DateFormat): EpochDay | undefined {
  const { pattern, order } = shapes[format];
  const match = pattern.exec(cell);
  if (match === null) return undefined;
  const [, first = '', second = '', third = '', rest = ''] = match;
  if (!timeOfDay.test(rest)) return undefined;
  const parts = order(first, second, third);
  const [year, month, day] = [yearOf(parts.year), monthOf(parts.month), Number(parts.day)];
  return isCalendarDay(year, month, day) ? epochDayOf(year, month, day) : undefined;
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
