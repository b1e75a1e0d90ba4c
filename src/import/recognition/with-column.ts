import { ImportRefusal } from '../refusals/import-refusal.ts';
import { cellAt } from '../cells/table.ts';
import { foldHeading } from '../layouts/headings.ts';
import type { Reading, SeriesColumns } from '../layouts/layout.ts';

/** Maximum number of columns in a refusal. */
const columnsShownMax = 20;

/**
 * A reading that takes the close from the column that the operator named.
 *
 * @throws {ImportRefusal} `option-mismatch` when no column of values has that name, or several have
 *   it. The message lists the columns.
 */
export function withColumn(reading: Reading, column: string | undefined): Reading {
  if (column === undefined) return reading;
  const name = foldHeading(column);
  if (reading.layout === 'wide') {
    // A column of a matrix is an instrument. Only the named one is imported.
    const named = reading.series.filter((one) => namesOf(one, reading).includes(name));
    if (named.length !== 1) throw noColumn(column, named.length, reading);
    return { ...reading, series: named };
  }
  const places = reading.header.flatMap((heading, index) =>
    isValue(index, reading) && foldHeading(heading) === name ? [index] : [],
  );
  const [close] = places;
  if (close === undefined || places.length > 1) throw noColumn(column, places.length, reading);
  // The last series of a layout is its main one. A bid or an ask keeps its own column.
  const series = reading.series.map((one, at) =>
    at === reading.series.length - 1 ? { ...one, close } : one,
  );
  return { ...reading, series };
}

/**
 * The names of a series of a matrix: its column, or its instrument when that has several columns.
 */
function namesOf({ ticker, close }: SeriesColumns, { header }: Reading): readonly string[] {
  const text = ticker.type === 'heading' ? [ticker.text] : [];
  return [cellAt(header, close), ...text].map(foldHeading);
}

/** Whether a column may contain closes: it is neither the date nor the ticker. */
function isValue(index: number, { date, series }: Reading): boolean {
  const isTicker = series.some(({ ticker }) => ticker.type === 'column' && ticker.index === index);
  return index !== date && !isTicker;
}

/** The refusal of a column that the table does not have, or has several times. */
export function noColumn(
  column: string,
  count: number,
  { header }: Pick<Reading, 'header'>,
): ImportRefusal {
  const shown = header.filter((name) => name.trim() !== '').slice(0, columnsShownMax);
  const more = header.length > columnsShownMax ? ', …' : '';
  const list = shown.length === 0 ? 'none: the table has no header' : shown.join(', ') + more;
  const isThere = header.some((name) => foldHeading(name) === foldHeading(column));
  const one = isThere ? `the column "${column}" has no closes` : `there is no column "${column}"`;
  const problem = count > 1 ? `${count} columns are named "${column}"; rename all but one` : one;
  return new ImportRefusal('option-mismatch', `${problem}; the columns are ${list}`);
}
