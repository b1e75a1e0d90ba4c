import type { Reading, TableHead } from '../layouts/layout.ts';

/** Maximum number of cells from which a date format or a decimal sign is found. */
const sampleCellsMax = 20_000;

/** The filled cells of some columns in the first rows of a table. */
export function sampleCells(
  head: TableHead,
  reading: Reading,
  columns: readonly (number | undefined)[],
): readonly string[] {
  const cells: string[] = [];
  for (const row of head.rows.slice(reading.skipRows)) {
    for (const column of columns) {
      const cell = column === undefined ? undefined : row[column];
      if (cell !== undefined && cell.trim() !== '') cells.push(cell);
    }
    if (cells.length >= sampleCellsMax) break;
  }
  return cells;
}
