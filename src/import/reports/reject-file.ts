import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import Papa from 'papaparse';
import { makeDirectory } from '../../lib/files/make-directory.ts';
import { startsFormula } from '../../lib/text/formula-start.ts';
import { parseVolume } from '../cells/number-format.ts';
import { rejectReasons } from '../closes/read-close.ts';
import type { Reject } from './import-summary.ts';

/** Number of characters that are buffered before they are written. */
const bufferedCharsMax = 65_536;

/**
 * A CSV file of rejected rows: file, line, instrument, reason, and the row as CSV. The file is
 * created with the first rejected row, readable by its owner only. Writes are synchronous.
 *
 * The cells come from files of unknown origin, and operators open this file in spreadsheets, so
 * cells that a spreadsheet would run as formulas are escaped: see {@link spreadsheetCell}. Other
 * cells are unchanged.
 */
export class RejectFile implements Disposable {
  readonly path: string;
  #descriptor: number | undefined;
  #buffered = '';
  #count = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Number of rejected rows. */
  get count(): number {
    return this.#count;
  }

  add({ file, line, instrument, reason, detail, row }: Reject): void {
    if (this.#count === 0) this.#buffered = 'file,line,instrument,reason,row\n';
    this.#count += 1;
    const text = detail ?? rejectReasons[reason];
    const cells = [file, String(line), instrument, text, Papa.unparse([row.map(spreadsheetCell)])];
    this.#buffered += `${Papa.unparse([cells.map(spreadsheetCell)])}\n`;
    if (this.#buffered.length > bufferedCharsMax) this.#write();
  }

  [Symbol.dispose](): void {
    this.#write();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #write(): void {
    if (this.#buffered === '') return;
    if (this.#descriptor === undefined) {
      makeDirectory(dirname(this.path), 0o700);
      this.#descriptor = openSync(this.path, 'w', 0o600);
    }
    writeSync(this.#descriptor, this.#buffered);
    this.#buffered = '';
  }
}

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
