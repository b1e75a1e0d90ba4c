import { dateFormats, parseDate, timeIn } from './date-format.ts';
import type { DateFormat } from './date-format.ts';

/**
 * How many times further apart consecutive rows must lie under one reading than under another for
 * the first to be ruled out.
 */
const travelRatioMin = 1.5;

/** What a sample of cells says about the format of dates. */
export type DateFinding =
  | { readonly type: 'found'; readonly format: DateFormat }
  /** This cell reads in all of these formats, and no cell of the sample tells which. */
  | { readonly type: 'ambiguous'; readonly cell: string; readonly formats: readonly DateFormat[] }
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
  const tied = fits.filter((one) => one.count === best).map((one) => one.format);
  const formats = settleYear(filled, tied);
  const [first, ...others] = formats;
  if (first === undefined) return { type: 'none' };
  const cell = filled.find((one) => parseDate(one, first) !== undefined) ?? '';
  if (others.length > 0) {
    // 03/03/2024 reads the same both ways and is a poor example to show.
    const differing = filled.find((one) => new Set(readings(one, formats)).size > 1);
    return { type: 'ambiguous', cell: differing ?? cell, formats };
  }
  return new Set(filled.map(timeIn)).size > 1
    ? { type: 'intraday', cell }
    : { type: 'found', format: first };
}

/**
 * Rules out the wrong place of a two-digit year where days and years are both possible there:
 * `18/11/26`, `19/11/26` are consecutive days with the year last, and a year apart with it first.
 * Daily closes lie days apart, so the reading with the shorter way from row to row is the right one.
 */
function settleYear(
  cells: readonly string[],
  formats: readonly DateFormat[],
): readonly DateFormat[] {
  const yearLast = formats.filter((format) => format !== 'YY-MM-DD');
  if (yearLast.length === formats.length || yearLast.length === 0) return formats;
  const first = travel(cells, 'YY-MM-DD');
  const last = yearLast.map((format) => travel(cells, format));
  if (Math.min(...last) * travelRatioMin < first) return yearLast;
  return first * travelRatioMin < Math.min(...last) ? ['YY-MM-DD'] : formats;
}

/** How far it is from row to row, in days, all steps added up. */
function travel(cells: readonly string[], format: DateFormat): number {
  let sum = 0;
  let previous: number | undefined;
  for (const cell of cells) {
    const day = parseDate(cell, format);
    if (day === undefined) continue;
    if (previous !== undefined) sum += Math.abs(day - previous);
    previous = day;
  }
  return sum;
}

function readings(cell: string, formats: readonly DateFormat[]): readonly (number | undefined)[] {
  return formats.map((format) => parseDate(cell, format));
}
