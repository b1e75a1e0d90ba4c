import { basename } from 'node:path';

import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { findIndex, indexDefinitions, indexNames } from '../../domain/indices/index-name.ts';
import { isIndexValue, mayHaveValue, type IndexValue } from '../../domain/indices/index-value.ts';
import { readCsvTable, type CsvRow } from '../../universe/files/csv-table.ts';
import { noDate, type UniverseFault, type FileText } from '../../universe/files/universe-fault.ts';
import { exportedIndices, namesOf } from '../cells/exported-columns.ts';
import { parseDate, type DateFormat } from '../cells/date-format.ts';
import { findDateFormat } from '../cells/find-date-format.ts';
import { findDecimal, parseNumber, type Decimal } from '../cells/number-format.ts';
import { indexExtensions } from '../files/sources.ts';
import { Records, type LocatedRecord } from '../files/records.ts';
import { adviceText, chooseDateFormat, chooseDecimal } from '../refusals/import-refusal.ts';

/** The columns of a file, in the order in which they are written. `fuente` may be missing. */
const columns = namesOf(exportedIndices);
type IndexColumn = (typeof columns)[number];
const table = { columns, optional: new Set<IndexColumn>(['fuente']) };

/** How the cells of all files are written. By default each file decides. */
export interface IndexCells {
  readonly decimal?: Decimal | undefined;
  readonly dateFormat?: DateFormat | undefined;
}

/** The content of several files. With faults, nothing may be stored. */
interface ReadIndices {
  /** One value for each index and day, in the order of the files. */
  readonly values: readonly IndexValue[];
  readonly faults: readonly UniverseFault[];
  readonly files: number;
}

type IndexRow = CsvRow<IndexColumn>;

/**
 * Reads values of indices from files, directories, archives and standard input (`-`): tables with the columns
 * `indice`, `fecha` and `valor`, as `GET /indices` gives them.
 */
export async function readIndices(
  sources: readonly string[],
  cells: IndexCells,
  stdin: AsyncIterable<Uint8Array>,
): Promise<ReadIndices> {
  const records = new Records<IndexValue>(
    ({ index, day }) => `${index} ${fromEpochDay(day)}`,
    ({ index, day, value }, before, place) =>
      value === before.value
        ? undefined
        : {
            value: `${index} ${fromEpochDay(day)}`,
            message: `${value} differs from ${before.value} in ${place}; keep the right one`,
          },
  );
  await records.readTexts(sources, stdin, indexExtensions, (source) => {
    const { values, faults } = readFile(source, cells);
    records.add(source.file, values);
    records.faults.push(...faults);
  });
  const { values, faults, files } = records;
  return { values, faults, files };
}

function readFile(source: FileText, cells: IndexCells) {
  const rows: IndexRow[] = [];
  // A row that is reported later adds to the same list.
  const onRow = (row: IndexRow) => void rows.push(row);
  const faults = readCsvTable(source, table, onRow);
  const form = formOf(rows, cells);
  const own = `import:${basename(source.file)}`;
  const values = rows.flatMap((row): LocatedRecord<IndexValue> | [] => {
    const value = form && readIndexValue(row, { ...form, source: own });
    return value === undefined ? [] : { value, line: row.line };
  });
  return { values, faults };
}

/** How the cells of one file are written. */
type CellForm = Required<{ [Name in keyof IndexCells]: NonNullable<IndexCells[Name]> }>;

/** How the cells of a file are written. Undefined, with a fault, if the file does not show it. */
function formOf(rows: readonly IndexRow[], cells: IndexCells): CellForm | undefined {
  const decimal = cells.decimal ?? decimalOf(rows);
  const dateFormat = cells.dateFormat ?? dateFormatOf(rows);
  return decimal && dateFormat && { decimal, dateFormat };
}

function decimalOf(rows: readonly IndexRow[]): Decimal | undefined {
  const found = findDecimal(rows.map(({ cells }) => cells.valor));
  if (found.type === 'found') return found.decimal;
  const message = `the sign may be decimal or separate thousands; ${adviceText(chooseDecimal)}`;
  reportCell(rows, 'valor', { cell: found.cell, message });
  return undefined;
}

function dateFormatOf(rows: readonly IndexRow[]): DateFormat | undefined {
  const found = findDateFormat(rows.map(({ cells }) => cells.fecha));
  if (found.type === 'found') return found.format;
  // Without any date, each cell is reported.
  if (found.type !== 'ambiguous') return 'YYYY-MM-DD';
  const message = `the date has several readings; ${adviceText(chooseDateFormat(found.formats))}`;
  reportCell(rows, 'fecha', { cell: found.cell, message });
  return undefined;
}

/** Reports the first row that has a cell. */
function reportCell(
  rows: readonly IndexRow[],
  column: IndexColumn,
  { cell, message }: { readonly cell: string; readonly message: string },
): void {
  rows.find(({ cells }) => cells[column].trim() === cell.trim())?.wrong(column, message);
}

/** The value of a row. Reports every fault of its cells, and then gives undefined. */
export function readIndexValue(
  row: Pick<IndexRow, 'cells' | 'wrong'>,
  form: CellForm & { readonly source: string },
): IndexValue | undefined {
  const { cells } = row;
  const index = findIndex(cells.indice.toUpperCase());
  if (index === undefined) {
    row.wrong('indice', `not an index; the indices are ${indexNames.join(', ')}`);
  }
  const day = parseDate(cells.fecha, form.dateFormat);
  if (day === undefined) {
    row.wrong('fecha', noDate);
  } else if (index !== undefined && !mayHaveValue(index, day)) {
    row.wrong('fecha', `${index} has a value for each month; use the last day of the month`);
  }
  const value = parseNumber(cells.valor, form.decimal);
  // The value of an unknown index is checked as that of CER is, so a row with both faults reports both.
  const isValue = isIndexValue(index ?? 'CER', value);
  if (!isValue) {
    const { min, max } = (index && indexDefinitions[index].values) ?? {};
    const valid = min === undefined ? 'number above zero' : `number from ${min} to ${max}`;
    row.wrong('valor', `not a ${valid}; correct it, or delete the row`);
  }
  if (index === undefined || day === undefined || !isValue) return undefined;
  return { index, day, value, source: cells.fuente === '' ? form.source : cells.fuente };
}
