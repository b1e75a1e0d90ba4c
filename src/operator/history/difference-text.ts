import Papa from 'papaparse';
import type { CloseConflict } from '../../domain/history/offered-close.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { roundHalfAwayFromZero } from '../../domain/values/rounding.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';

/** Decimals of a difference in percent. */
const percentDecimals = 4;

/** A difference between a stored close and one of a source, as a line without a line end. */
export function formatDifference(difference: CloseConflict): string {
  const { ticker, date, stored, storedSource, other, otherSource, differencePct } =
    differenceObject(difference);
  const sign = differencePct !== null && differencePct > 0 ? '+' : '';
  const percent = differencePct === null ? '' : ` (${sign}${differencePct} %)`;
  return `${ticker} ${date}: stored ${stored} of ${storedSource ?? 'an unknown source'}, ${otherSource} has ${other}${percent}`;
}

/** A difference for JSON output. All members are present, with null for unknown values. */
export function differenceObject(difference: CloseConflict) {
  const { ticker, day, stored, storedSource, offered, offeredSource } = difference;
  return {
    ticker,
    date: fromEpochDay(day),
    stored,
    storedSource: storedSource ?? null,
    other: offered,
    otherSource: offeredSource ?? null,
    differencePct: percentBetween(stored, offered),
  };
}

/** The columns of {@link formatDifferenceCsv}. */
const columns = [
  'ticker',
  'date',
  'stored',
  'storedSource',
  'other',
  'otherSource',
  'differencePct',
] as const;

/** The header of the CSV, with its line end. */
export const differenceCsvHeader = `${columns.join(',')}\r\n`;

/** A difference as a line of CSV (RFC 4180), with its line end. */
export function formatDifferenceCsv(difference: CloseConflict): string {
  const row = differenceObject(difference);
  const cells = columns.map((name) => {
    const value = row[name];
    return typeof value === 'number' ? formatExactNumber(value) : (value ?? '');
  });
  return `${Papa.unparse([cells], { newline: '\r\n' })}\r\n`;
}

/** The difference in percent of the stored close. Null when that is zero, or too small to compare. */
function percentBetween(stored: number, other: number): number | null {
  const percent = ((other - stored) / Math.abs(stored)) * 100;
  return Number.isFinite(percent) ? roundHalfAwayFromZero(percent, percentDecimals) : null;
}
