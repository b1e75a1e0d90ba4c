import { parseVolume } from './number-format.ts';

/** What makes a spreadsheet take a cell for a formula (OWASP, CSV injection). */
const formulaStart = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

/** A cell that says that there is no value. */
const dashes = /^ *-+ *$/;

/**
 * A cell of a file from outside as it is written to a CSV that an operator may open in a spreadsheet:
 * with an apostrophe before it where the spreadsheet would otherwise run it as a formula. Numbers stay
 * as they are, signs and percent included, and so does every cell that an import reads: no date and no
 * ticker begins like a formula.
 */
export function spreadsheetCell(cell: string): string {
  return formulaStart.test(cell) && !isNumber(cell) && !dashes.test(cell) ? `'${cell}` : cell;
}

function isNumber(cell: string): boolean {
  if (/^[\t\r\n]/.test(cell)) return false;
  const number = cell.replace(/ ?% *$/, '');
  return !Number.isNaN(parseVolume(number, '.')) || !Number.isNaN(parseVolume(number, ','));
}
