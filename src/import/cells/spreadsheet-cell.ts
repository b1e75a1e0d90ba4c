import { startsFormula } from '../../lib/text/formula-start.ts';
import { parseVolume } from './number-format.ts';

/** A cell of dashes, which means that there is no value. */
const dashes = /^ *-+ *$/;

/**
 * Escapes a cell of unknown origin for a CSV file that an operator may open in a spreadsheet. A
 * cell that the spreadsheet would run as a formula gets an apostrophe before it. Numbers are
 * unchanged, signs and percent included, and so are dates and tickers, because none of them begins
 * like a formula.
 */
export function spreadsheetCell(cell: string): string {
  return startsFormula(cell) && !isNumber(cell) && !dashes.test(cell) ? `'${cell}` : cell;
}

function isNumber(cell: string): boolean {
  if (/^[\t\r\n]/.test(cell)) return false;
  const number = cell.replace(/ ?% *$/, '');
  return !Number.isNaN(parseVolume(number, '.')) || !Number.isNaN(parseVolume(number, ','));
}
