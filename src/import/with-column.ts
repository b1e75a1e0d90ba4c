import { ImportRefusal } from './import-refusal.ts';
import { foldHeading } from './layouts/headings.ts';
import type { Reading, SeriesColumns } from './layouts/layout.ts';

/** Columns that a refusal shows. */
const columnsShownMax = 20;

/**
 * A reading with the close from the column that the operator named.
 *
 * @throws {ImportRefusal} `option-mismatch` when no column of closes, or more than one, has that
 * name; it lists those that can be named.
 */
export function withColumn(reading: Reading, column: string | undefined): Reading {
  if (column === undefined) return reading;
  const name = foldHeading(column);
  if (reading.layout === 'wide') {
    // In a matrix a column is an instrument: to name one is to import that one alone.
    const named = reading.series.filter((one) => namesOf(one, reading).includes(name));
    if (named.length !== 1) throw noColumn(column, named.length, reading);
    return { ...reading, series: named };
  }
  const places = reading.header.flatMap((heading, index) =>
    isValue(index, reading) && foldHeading(heading) === name ? [index] : [],
  );
  const [close] = places;
  if (close === undefined || places.length > 1) throw noColumn(column, places.length, reading);
  // The last series of a layout is its main one; a bid or an ask beside it keeps its own column.
  const series = reading.series.map((one, at) =>
    at === reading.series.length - 1 ? { ...one, close } : one,
  );
  return { ...reading, series };
}

/** What a series of a matrix can be called: its column, or its instrument where it has several. */
function namesOf({ ticker, close }: SeriesColumns, { header }: Reading): readonly string[] {
  const text = ticker.type === 'heading' ? [ticker.text] : [];
  return [header[close] ?? '', ...text].map(foldHeading);
}

/** Whether a column may hold closes: it is neither the date nor the ticker. */
function isValue(index: number, { date, series }: Reading): boolean {
  const isTicker = series.some(({ ticker }) => ticker.type === 'column' && ticker.index === index);
  return index !== date && !isTicker;
}

function noColumn(column: string, count: number, { header }: Reading): ImportRefusal {
  const shown = header.filter((name) => name.trim() !== '').slice(0, columnsShownMax);
  const more = header.length > columnsShownMax ? ', …' : '';
  const list = shown.length === 0 ? 'none: it has no header' : shown.join(', ') + more;
  const isThere = header.some((name) => foldHeading(name) === foldHeading(column));
  const one = isThere ? `the column "${column}" holds no closes` : `no column "${column}"`;
  const problem = count > 1 ? `${count} columns "${column}", rename all but one` : one;
  return new ImportRefusal('option-mismatch', `${problem}; the columns are ${list}`);
}
