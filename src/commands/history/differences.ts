import type { CloseConflict } from '../../domain/history/offered-close.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { roundHalfAwayFromZero } from '../../domain/values/rounding.ts';
import type { Context } from '../form/command.ts';
import { csvLines } from '../form/csv.ts';
import { cellText } from '../form/report.ts';

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

/** The columns of the CSV. */
const columns = [
  'ticker',
  'date',
  'stored',
  'storedSource',
  'other',
  'otherSource',
  'differencePct',
] as const;

/** A difference as a line of CSV, with its line end. */
export function formatDifferenceCsv(difference: CloseConflict): string {
  const row = differenceObject(difference);
  return csvLines([columns.map((name) => (row[name] === null ? '' : cellText(row[name])))]);
}

/**
 * Writes differences to standard output as they are found: as lines, as one JSON array with one element a line, or as
 * CSV. With JSON and CSV, standard output has nothing else, and the summary goes to standard error.
 */
export function openDifferenceOutput(
  flags: { readonly json: boolean; readonly csv: boolean },
  { print, printCsv, printError }: Pick<Context, 'print' | 'printCsv' | 'printError'>,
): {
  readonly write: (differences: readonly CloseConflict[]) => void;
  readonly finish: (summary: string) => void;
} {
  if (flags.csv) {
    printCsv(csvLines([columns]));
    return {
      write: (differences) => printCsv(differences.map(formatDifferenceCsv).join('')),
      finish: printError,
    };
  }
  if (!flags.json) {
    return {
      write: (differences) =>
        print(differences.map((one) => `${formatDifference(one)}\n`).join('')),
      finish: print,
    };
  }
  let before = '[\n';
  return {
    write: (differences) => {
      for (const one of differences) {
        print(`${before}${JSON.stringify(differenceObject(one))}`);
        before = ',\n';
      }
    },
    finish: (summary) => {
      print(before === '[\n' ? '[]\n' : '\n]\n');
      printError(summary);
    },
  };
}

/** The difference in percent of the stored close. Null when that is zero, or too small to compare. */
function percentBetween(stored: number, other: number): number | null {
  const percent = ((other - stored) / Math.abs(stored)) * 100;
  return Number.isFinite(percent) ? roundHalfAwayFromZero(percent, percentDecimals) : null;
}
