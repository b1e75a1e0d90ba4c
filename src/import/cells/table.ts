/** The cells of one row of a table, as text. */
export type Row = readonly string[];

/** The text of a cell; empty where the row is shorter. */
export function cellAt(row: Row, index: number): string {
  return row[index] ?? '';
}
