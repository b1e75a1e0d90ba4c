import Papa from 'papaparse';
import { listed, type UniverseFault, type FileText } from './universe-fault.ts';

/** One row of a table: its trimmed cells by column. */
export class CsvRow<Column extends string> {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  readonly cells: Readonly<Record<Column, string>>;
  /** Whether no cell has a fault so far. */
  isSound = true;
  readonly #report: (column: Column, value: string, message: string) => void;

  constructor(
    line: number,
    cells: Readonly<Record<Column, string>>,
    report: (column: Column, value: string, message: string) => void,
  ) {
    this.line = line;
    this.cells = cells;
    this.#report = report;
  }

  /** Reports a fault of a cell. */
  wrong(column: Column, message: string, value: string = this.cells[column]): void {
    this.isSound = false;
    this.#report(column, value, message);
  }

  /** What a cell means. Undefined for an empty cell, and after a fault with this message. */
  read<T>(column: Column, parse: (text: string) => T | undefined, message: string): T | undefined {
    const text = this.cells[column];
    const value = text === '' ? undefined : parse(text);
    if (text !== '' && value === undefined) this.wrong(column, message);
    return value;
  }
}

const delimiters = [',', ';', '\t'];

/** The columns of a table, in the usual order. */
export interface TableColumns<Column extends string> {
  readonly columns: readonly Column[];
  /** Those that a file need not have. */
  readonly optional: ReadonlySet<Column>;
}

/**
 * Reads a CSV table that has the given columns and no others, in any order. Optional columns may be
 * missing, and a row may end before those at the end of the header: their cells are empty. Only the last
 * row of a file without a final line break may not, because the file may have been cut within it. Calls back
 * with each complete row and skips empty rows. The delimiter is detected in the header: a comma, a
 * tab, or a semicolon, which spreadsheets write where the comma is the decimal separator.
 *
 * Returns all faults. Reading ends at a quote that is never closed, because the text after it
 * cannot be split into rows reliably.
 */
export function readCsvTable<const Column extends string>(
  source: FileText,
  { columns, optional }: TableColumns<Column>,
  onRow: (row: CsvRow<Column>) => void,
): UniverseFault[] {
  const { file, text } = source;
  const faults: UniverseFault[] = [];
  const fault = (line: number, column: number, value: string, message: string) => {
    faults.push({ file, line, column, value, message });
  };

  const isOptional = (name: string) => (optional as ReadonlySet<string>).has(name);

  let header: readonly string[] | undefined;
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
        header = data.map(nameOf);
        const headerFaults = faultsOfHeader(header, data, { columns, optional });
        for (const one of headerFaults) fault(startLine, one.column, one.value, one.message);
        if (headerFaults.length > 0) parser.abort();
        return;
      }
      const omitted = header.slice(data.length);
      if (data.length > header.length || omitted.some((name) => !isOptional(name))) {
        const message = `the row has ${data.length} cells and the header has ${header.length}; put quotes around a cell that contains the delimiter`;
        fault(startLine, 0, data[0] ?? '', message);
        return;
      }
      if (omitted.length > 0 && isUnfinished(text, meta.cursor)) {
        const message = `the file ends within this row, after ${data.length} of ${header.length} cells; if the row is complete, end it with a line break`;
        fault(startLine, 0, data[0] ?? '', message);
        return;
      }
      const names = header;
      const named = data.map((cell, index) => [names[index], cell.trim()]);
      const absent = [...optional].map((name) => [name, '']);
      const cells = Object.fromEntries([...absent, ...named]) as Record<Column, string>;
      const report = (column: Column, value: string, message: string) =>
        fault(startLine, names.indexOf(column) + 1, value, `${column}: ${message}`);
      onRow(new CsvRow(startLine, cells, report));
    },
  });
  if (header === undefined && faults.length === 0) {
    const required = columns.filter((name) => !optional.has(name));
    fault(1, 0, '', `the file has no header; its first line must name ${listed(required)}`);
  }
  return faults;
}

/** Whether a text ends at a position without a line break. */
function isUnfinished(text: string, at: number): boolean {
  return at >= text.length && !text.endsWith('\n');
}

/** The name of a column from its cell in the header. */
function nameOf(cell: string): string {
  return cell.trim().toLowerCase();
}

/** The faults of a header that must name each column once. Optional columns may be missing. */
function faultsOfHeader(
  header: readonly string[],
  asWritten: readonly string[],
  { columns, optional }: { columns: readonly string[]; optional: ReadonlySet<string> },
): readonly Pick<UniverseFault, 'column' | 'value' | 'message'>[] {
  const wrong = asWritten.flatMap((value, index) => {
    const name = nameOf(value);
    const column = index + 1;
    if (!columns.includes(name)) {
      return { column, value, message: `unknown column; the columns are ${listed(columns)}` };
    }
    return header.indexOf(name) === index ? [] : { column, value, message: 'duplicate column' };
  });
  const missing = columns
    .filter((name) => !header.includes(name) && !optional.has(name))
    .map((name) => ({ column: 0, value: '', message: `the column ${name} is missing` }));
  return [...wrong, ...missing];
}

/** The delimiter that occurs most often in the header. */
export function delimiterOf(text: string): string {
  const header = text.trimStart().split('\n', 1)[0] ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return delimiters.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

/** The number of line breaks in a part of a text. */
export function newlinesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
