/** The cells of one row of a table, as text. */
export type CellRow = readonly string[];

/** The text of a cell; empty where the row is shorter. */
export function cellAt(row: CellRow, index: number): string {
  return row[index] ?? '';
}

/** A value of a document as the text of a cell. */
export function cellOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
}
