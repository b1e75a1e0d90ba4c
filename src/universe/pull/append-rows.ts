import Papa from 'papaparse';
import { delimiterOf } from '../files/csv-table.ts';

/** A row to append: its cells by column. An absent cell is empty. */
type NewRow<Column extends string> = Readonly<Partial<Record<Column, string>>>;

/**
 * Appends rows to the text of a CSV file, in its delimiter, line ends and order of columns. A column that
 * the file lacks and a row needs is added at the end of the first line. All other lines stay as they are: a
 * row may end before optional columns.
 *
 * @param text with a header, as it is in the file
 * @param optional the columns that a row need not have
 */
export function appendRows<Column extends string>(
  text: string,
  rows: readonly NewRow<Column>[],
  optional: ReadonlySet<Column>,
): string {
  if (rows.length === 0) return text;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const delimiter = delimiterOf(text.replace(/^\uFEFF/, ''));
  const { start, end } = headerOf(text);
  const header = text.slice(start, end);
  const columns = columnsOf(header, delimiter);
  const added = [...optional].filter(
    (column) => !columns.includes(column) && rows.some((row) => (row[column] ?? '') !== ''),
  );
  const all = [...columns, ...added];
  const lines = rows.map((row) => lineOf(row, all, { delimiter, optional }));
  const before = `${text.slice(0, end)}${added.map((column) => delimiter + column).join('')}${text.slice(end)}`;
  const gap = before.endsWith('\n') ? '' : lineEnd;
  return `${before}${gap}${lines.map((line) => line + lineEnd).join('')}`;
}

/** The first line that is not empty, without its end. */
function headerOf(text: string): { readonly start: number; readonly end: number } {
  const found = /[^\s\uFEFF].*/.exec(text);
  if (found === null) throw new Error('the file has no header');
  const line = found[0].replace(/\r$/, '');
  return { start: found.index, end: found.index + line.length };
}

function columnsOf(header: string, delimiter: string): readonly string[] {
  const [cells = []] = Papa.parse<string[]>(header, { delimiter }).data;
  return cells.map((cell) => cell.trim().toLowerCase());
}

function lineOf(
  row: Readonly<Record<string, string | undefined>>,
  columns: readonly string[],
  { delimiter, optional }: { readonly delimiter: string; readonly optional: ReadonlySet<string> },
): string {
  const cells = columns.map((column) => row[column] ?? '');
  while (cells.at(-1) === '' && optional.has(columns[cells.length - 1] ?? '')) cells.pop();
  return Papa.unparse([cells], { delimiter });
}
