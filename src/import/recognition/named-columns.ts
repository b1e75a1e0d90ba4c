import { cellAt } from '../cells/table.ts';
import { foldHeading } from '../layouts/headings.ts';
import type { Reading, SeriesColumns } from '../layouts/layout.ts';
import { ImportRefusal, optionText, type NamedColumns } from '../refusals/import-refusal.ts';

/**
 * The same reading, with the dates and the tickers in the columns that the operator named.
 *
 * @throws {ImportRefusal} `option-mismatch` when no column, or more than one, has that name, or when the layout
 *   names its instruments itself.
 */
export function withNamedColumns(reading: Reading, { dates, tickerColumn }: NamedColumns): Reading {
  const date = dates === undefined ? reading.date : indexOf(dates, reading);
  if (tickerColumn === undefined) return { ...reading, date };
  const index = indexOf(tickerColumn, reading);
  const series = reading.series.map((one) => namedBy(index, one, reading));
  return { ...reading, date, series };
}

function namedBy(index: number, series: SeriesColumns, { layout, header }: Reading): SeriesColumns {
  const column = cellAt(header, index);
  const { type } = series.ticker;
  if (type === 'row' || type === 'heading') {
    throw new ImportRefusal(
      'option-mismatch',
      `${optionText('tickerColumn', column)} does not fit: the layout ${layout} names its instruments itself`,
      { kind: 'leave-out-ticker-column', suggestions: [{ tickerColumn: null }] },
    );
  }
  return { ...series, ticker: { type: 'column', index } };
}

function indexOf(name: string, reading: Reading): number {
  const folded = foldHeading(name);
  const places = reading.header.flatMap((heading, index) =>
    foldHeading(heading) === folded ? [index] : [],
  );
  const [index] = places;
  if (index === undefined || places.length > 1) throw noColumn(name, places.length, reading);
  return index;
}

/** Maximum number of columns in a refusal. */
const columnsShownMax = 20;

/**
 * The same reading, with the closes in the column that the operator named.
 *
 * @throws {ImportRefusal} `option-mismatch` when no column of values, or more than one, has that name. The
 *   message lists the columns.
 */
export function withColumn(reading: Reading, column: string | undefined): Reading {
  if (column === undefined) return reading;
  const name = foldHeading(column);
  if (reading.layout === 'wide') {
    // Each series of a wide table is an instrument. Import only the one that the operator named.
    const named = reading.series.filter((one) => namesOf(one, reading).includes(name));
    if (named.length !== 1) throw noColumn(column, named.length, reading);
    return { ...reading, series: named };
  }
  const places = reading.header.flatMap((heading, index) =>
    isValue(index, reading) && foldHeading(heading) === name ? [index] : [],
  );
  const [close] = places;
  if (close === undefined || places.length > 1) throw noColumn(column, places.length, reading);
  // A row may give several instruments, such as the bid and the ask of a dollar. The named column is for
  // the last one, which is the main one. The others keep their columns.
  const series = reading.series.map((one, at) =>
    at === reading.series.length - 1 ? { ...one, close } : one,
  );
  return { ...reading, series };
}

/**
 * The names by which an operator can choose a series of a wide table: the heading of its column of closes,
 * and its ticker if the heading contains it, as where an instrument has several columns.
 */
function namesOf({ ticker, close }: SeriesColumns, { header }: Reading): readonly string[] {
  const text = ticker.type === 'heading' ? [ticker.text] : [];
  return [cellAt(header, close), ...text].map(foldHeading);
}

/** Whether a column may contain closes: every column may, except those of dates and tickers. */
function isValue(index: number, { date, series }: Reading): boolean {
  const isTicker = series.some(({ ticker }) => ticker.type === 'column' && ticker.index === index);
  return index !== date && !isTicker;
}

/** The refusal of a column name that is absent from the table, has no closes, or is not unique. */
function noColumn(
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
