import Papa from 'papaparse';
import { listed } from './universe-fault.ts';
import type { UniverseFault } from './universe-fault.ts';

/** The columns of a table, in the order in which its cells are given. */
export interface CsvColumns {
  readonly required: readonly string[];
  /** They follow the required ones. The cells of one that the table lacks are empty. */
  readonly optional: readonly string[];
}

/** One row of a table: its trimmed cells, in the order of the requested columns. */
export interface CsvRow {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reports a fault of a cell in a row. `column` is the index in the requested columns. */
export type ReportCell = (column: number, value: string, message: string) => void;

const delimiters = [',', ';', '\t'];

/**
 * Reads a CSV table that has the given columns and no others, in any order. Calls back with each complete
 * row and skips empty rows. The delimiter is detected in the header: a comma, a tab, or a
 * semicolon, which spreadsheets write where the comma is the decimal separator.
 *
 * Returns all faults. Reading ends at a quote that is never closed, because the text after it
 * cannot be split into rows reliably.
 */
export function readCsvTable(
  source: { readonly file: string; readonly text: string },
  { required, optional }: CsvColumns,
  onRow: (row: CsvRow, report: ReportCell) => void,
): UniverseFault[] {
  const { file, text } = source;
  const columns = [...required, ...optional];
  const faults: UniverseFault[] = [];
  const fault = (line: number, column: number, value: string, message: string) => {
    faults.push({ file, line, column, value, message });
  };

  let header: readonly string[] | undefined;
  let places: readonly number[] | undefined = [];
  let line = 1;
  let offset = 0;
  Papa.parse<string[]>(text, {
    delimiter: delimiterOf(text),
    newline: '\n',
    step: ({ data, errors, meta }, parser) => {
      const startLine = line;
      line += newlinesIn(text, offset, meta.cursor);
      offset = meta.cursor;

      if (errors.length > 0) {
        const value = (text.split('\n')[startLine - 1] ?? '').trim();
        fault(
          startLine,
          0,
          value,
          'a quoted cell is not closed correctly; close the quote, and double every quote inside the cell',
        );
        parser.abort();
        return;
      }
      if (data.every((cell) => cell.trim() === '')) return;
      if (header === undefined) {
        header = data.map((cell) => cell.trim().toLowerCase());
        places = placesOf(header, data, { required, optional }, (column, value, message) =>
          fault(startLine, column, value, message),
        );
        if (places === undefined) parser.abort();
        return;
      }
      if (data.length !== header.length) {
        const message = `the row has ${data.length} cells and the header has ${header.length}; put quotes around a cell that contains the delimiter`;
        fault(startLine, 0, data[0] ?? '', message);
        return;
      }
      const order = places ?? [];
      const cells = order.map((place) => (data[place] ?? '').trim());
      onRow({ line: startLine, cells }, (column, value, message) =>
        fault(startLine, (order[column] ?? 0) + 1, value, `${columns[column]}: ${message}`),
      );
    },
  });
  if (header === undefined && faults.length === 0) {
    fault(1, 0, '', `the file has no header; its first line must name ${listed(required)}`);
  }
  return faults;
}

/**
 * The index of each requested column in the header, -1 for an optional one that it lacks, or undefined
 * when the header has faults.
 */
function placesOf(
  header: readonly string[],
  asWritten: readonly string[],
  { required, optional }: CsvColumns,
  fault: (column: number, value: string, message: string) => void,
): readonly number[] | undefined {
  const columns = [...required, ...optional];
  let isValid = true;
  const wrong = (column: number, value: string, message: string) => {
    isValid = false;
    fault(column, value, message);
  };
  for (const [index, name] of header.entries()) {
    const written = asWritten[index] ?? '';
    if (!columns.includes(name)) {
      wrong(index + 1, written, `unknown column; the columns are ${listed(columns)}`);
    } else if (header.indexOf(name) !== index) {
      wrong(index + 1, written, 'duplicate column');
    }
  }
  for (const name of required) {
    if (!header.includes(name)) wrong(0, '', `the column ${name} is missing`);
  }
  return isValid ? columns.map((name) => header.indexOf(name)) : undefined;
}

/** The delimiter that occurs most often in the header. */
function delimiterOf(text: string): string {
  const header = text.trimStart().split('\n', 1)[0] ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return delimiters.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

function newlinesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
