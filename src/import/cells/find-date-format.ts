import {
  dateFormats,
  isEpoch,
  looksLikeEpoch,
  parseDate,
  parseMoment,
  type DateFormat,
} from './date-format.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';

/**
 * Minimum ratio between the distances of consecutive dates under two formats. From this ratio on,
 * the format with the larger distances is ruled out.
 */
const travelRatioMin = 1.5;

/** The date format found in a sample of cells. */
type DateFinding =
  | { readonly type: 'found'; readonly format: DateFormat }
  /** This cell is a date in all of these formats, and no cell of the sample decides. */
  | { readonly type: 'ambiguous'; readonly cell: string; readonly formats: readonly DateFormat[] }
  /** A day has several times of day, so these are not daily prices. */
  | { readonly type: 'intraday' }
  | { readonly type: 'none' };

/** Finds the format in which most cells are dates. */
export function findDateFormat(cells: Iterable<string>): DateFinding {
  const filled = [...cells].filter((cell) => cell.trim() !== '');
  const fits = dateFormats.map((format) => ({
    format,
    count: countOf(filled, format),
  }));
  const best = Math.max(...fits.map((one) => one.count));
  const isFound = best > 0 && best * 2 >= filled.length;
  const tied = fits.filter((one) => one.count === best).map((one) => one.format);
  const formats = isFound ? settleYear(filled, tied) : [];
  const [first, ...others] = formats;
  if (first === undefined) return { type: 'none' };
  if (others.length > 0) {
    const dates = filled.filter((one) => parseDate(one, first) !== undefined);
    // A date such as 03/03/2024 is the same in both formats, so it is no useful example.
    const differing = filled.filter((one) => new Set(readings(one, formats)).size > 1);
    const [cell = ''] = [...differing, ...dates];
    return { type: 'ambiguous', cell, formats };
  }
  return hasDayOfManyTimes(filled, first) ? { type: 'intraday' } : { type: 'found', format: first };
}

/** The number of cells that are dates in a format. */
function countOf(cells: readonly string[], format: DateFormat): number {
  if (!isEpoch(format)) return cells.filter((cell) => parseDate(cell, format) !== undefined).length;
  const fits = cells.filter((cell) => looksLikeEpoch(cell, format));
  // `2024022917` is an hour of a day, and also a second of the year 2034.
  return fits.every((cell) => compact.test(cell)) ? 0 : fits.length;
}

const compact =
  /^\s*(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])(?:[0-5]\d)?\s*$/;

function hasDayOfManyTimes(cells: readonly string[], format: DateFormat): boolean {
  const minutes = new Map<EpochDay, number>();
  for (const cell of cells) {
    const moment = parseMoment(cell, format);
    if (moment === undefined) continue;
    const { day, minute } = moment;
    if ((minutes.get(day) ?? minute) !== minute) return true;
    minutes.set(day, minute);
  }
  return false;
}

/**
 * Decides the position of a two-digit year where both ends of the date could be a year. `18/11/26`
 * and `19/11/26` are consecutive days with the year last, and a year apart with the year first.
 * Daily closes are days apart, so the format with the smaller distances is right.
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

/** The sum of the distances between consecutive dates, in days. */
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
