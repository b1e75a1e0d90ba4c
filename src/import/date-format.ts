import { epochDayOf, isCalendarDay } from '../domain/plain-date.ts';
import type { EpochDay } from '../domain/plain-date.ts';

/** The orders in which files write a date; `-`, `/` and `.` are all the same between the parts. */
export const dateFormats = ['YYYY-MM-DD', 'YYYYMMDD', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const;

/** One of {@link dateFormats}. */
export type DateFormat = (typeof dateFormats)[number];

const shapes: Record<Exclude<DateFormat, 'YYYY-MM-DD'>, RegExp> = {
  YYYYMMDD: /^\s*(\d{4})(\d{2})(\d{2})(?!\d)(.*)$/,
  'DD/MM/YYYY': /^\s*(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)(.*)$/,
  'MM/DD/YYYY': /^\s*(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)(.*)$/,
};
const yearFirst = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(.*)$/;
const timeOfDay =
  /^(?:[T ]+(\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(?:Z|UTC|[-+]\d{2}:?\d{2})?)?\s*$/;

/** The day that a cell names, or undefined when it is not of the format or there is no such day. */
export function parseDate(cell: string, format: DateFormat): EpochDay | undefined {
  if (format === 'YYYY-MM-DD' && cell.length === 10) {
    const fast = parseIso(cell);
    if (fast !== undefined) return fast;
  }
  const match = (format === 'YYYY-MM-DD' ? yearFirst : shapes[format]).exec(cell);
  if (match === null || !timeOfDay.test(match[4] ?? '')) return undefined;
  const [first, second, third] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (format === 'DD/MM/YYYY') return dayOf(third, second, first);
  if (format === 'MM/DD/YYYY') return dayOf(third, first, second);
  return dayOf(first, second, third);
}

/** What a sample of cells says about the format of dates. */
export type DateFinding =
  | { readonly type: 'found'; readonly format: DateFormat }
  /** Every day of the sample is 12 or less: this cell reads both ways. */
  | { readonly type: 'ambiguous'; readonly cell: string }
  /** Several times of day: these are not daily prices. */
  | { readonly type: 'intraday'; readonly cell: string }
  | { readonly type: 'none' };

/** Finds the format under which most cells are dates. */
export function findDateFormat(cells: Iterable<string>): DateFinding {
  const filled = [...cells].filter((cell) => cell.trim() !== '');
  const fits = dateFormats.map((format) => ({
    format,
    count: filled.filter((cell) => parseDate(cell, format) !== undefined).length,
  }));
  const best = Math.max(...fits.map((one) => one.count));
  if (best === 0 || best * 2 < filled.length) return { type: 'none' };
  const [first, second] = fits.filter((one) => one.count === best);
  if (first === undefined) return { type: 'none' };
  const cell = filled.find((one) => parseDate(one, first.format) !== undefined) ?? '';
  if (second !== undefined) {
    // 03/03/2024 reads the same both ways and is a poor example to show.
    const differing = filled.find(
      (one) => parseDate(one, first.format) !== parseDate(one, second.format),
    );
    return { type: 'ambiguous', cell: differing ?? cell };
  }
  return new Set(filled.map(timeIn)).size > 1
    ? { type: 'intraday', cell }
    : { type: 'found', format: first.format };
}

function timeIn(cell: string): string {
  return /[T ](\d{1,2}:\d{2})/.exec(cell)?.[1] ?? '';
}

function parseIso(cell: string): EpochDay | undefined {
  if (cell.charCodeAt(4) !== 45 || cell.charCodeAt(7) !== 45) return undefined;
  const year = digits(cell, 0) * 100 + digits(cell, 2);
  return dayOf(year, digits(cell, 5), digits(cell, 8));
}

/** The number of two digits at a place; far out of every range when they are none. */
function digits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const units = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : 1e6;
}

function dayOf(year: number, month: number, day: number): EpochDay | undefined {
  return isCalendarDay(year, month, day) ? epochDayOf(year, month, day) : undefined;
}
