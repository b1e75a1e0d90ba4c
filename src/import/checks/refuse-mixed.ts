import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { isSamePrice } from '../../domain/values/same-price.ts';
import type { BoundSeries } from '../names/binding.ts';
import { parseNumber, type Decimal } from '../cells/number-format.ts';
import { cellAt, type Row } from '../cells/table.ts';
import { closesIn, type Check, type CheckedTable } from './checked-table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { foldHeading, looksLikeDate, meaningOf, type Meaning } from '../layouts/headings.ts';

/**
 * Number of repeated days that are accepted as mistakes, whatever their share of the rows, if no column
 * of texts distinguishes the rows of a day.
 */
const repeatsFreeMax = 2;

/**
 * Share of rows with a different close of an earlier day, from which rows are of several series.
 */
const repeatsMax = 0.1;

/** The values of one instrument on one day, which a row of a long table has one of. */
const fields: ReadonlySet<Meaning | undefined> = new Set<Meaning>([
  'open',
  'high',
  'low',
  'close',
  'volume',
]);

/**
 * Refuses rows of which several have closes of one instrument and one day: rows of several instruments
 * whose column of names has no known heading, and rows of one value each (`date,ticker,field,value`).
 * Otherwise the first row of each day would be stored.
 */
export const mixedRows: Check = {
  name: 'mixed-rows',
  refuse(table) {
    for (const one of table.series) refuseMixed(table, one);
  },
};

function refuseMixed(table: CheckedTable, one: BoundSeries): void {
  const { reading } = table;
  const first = new Map<string, { readonly close: number; readonly row: Row }>();
  const repeats: (readonly [Row, Row])[] = [];
  let count = 0;
  for (const { row, day, close, name } of closesIn(table, one)) {
    count += 1;
    const key = keyOf(name, day);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, { close, row });
    else if (!isSamePrice(earlier.close, close)) repeats.push([earlier.row, row]);
  }
  if (repeats.length === 0 || repeats.length < count * repeatsMax) return;
  const columns = textColumns(table).filter(
    (column) =>
      column !== reading.date && repeats.every(([a, b]) => cellAt(a, column) !== cellAt(b, column)),
  );
  refuseFields(table, columns);
  if (repeats.length <= repeatsFreeMax && columns.length === 0) return;
  const headings = columns.map((column) => cellAt(reading.header, column).trim()).filter(Boolean);
  const [heading = ''] = headings;
  const where = heading === '' ? '' : `, which the column "${heading}" may name`;
  const isNamed = one.nameOf !== undefined;
  throw new ImportRefusal(
    'not-prices',
    `${repeats.length} of the first ${count} rows have a different close of a day that an earlier row ` +
      `has, so they are of several instruments${where}, or of several times of day`,
    {
      advice: {
        kind: 'name-tickers',
        suggestions: isNamed ? [] : headings.map((name) => ({ tickerColumn: name, ticker: null })),
      },
    },
  );
}

/** Refuses a table with a column such as `field`: open, close, volume. */
function refuseFields({ head, reading }: CheckedTable, columns: readonly number[]): void {
  for (const column of columns) {
    const names = new Set(head.rows.slice(reading.skipRows).map((row) => cellAt(row, column)));
    const known = [...names].filter((name) => fields.has(meaningOf(foldHeading(name))));
    if (known.length < 2) continue;
    throw new ImportRefusal(
      'not-prices',
      `each row has one value of a day, and the column "${cellAt(reading.header, column)}" has its name ` +
        `(${known.slice(0, 5).join(', ')}); write one row for each day, with these names as headings`,
    );
  }
}

/** The columns of which no cell in the first rows is a number or a date. */
function textColumns({ head, reading }: CheckedTable): number[] {
  const { skipRows, header, decimal } = reading;
  const rows = head.rows.slice(skipRows);
  const width = Math.max(header.length, rows[0]?.length ?? 0);
  return Array.from({ length: width }, (_, column) => column).filter((column) => {
    const cells = rows.map((row) => cellAt(row, column)).filter((cell) => cell.trim() !== '');
    return cells.length > 0 && !cells.some((cell) => isValue(cell, decimal));
  });
}

function isValue(cell: string, decimal: Decimal): boolean {
  return !Number.isNaN(parseNumber(cell, decimal)) || looksLikeDate(cell);
}

function keyOf(name: string, day: EpochDay): string {
  return `${day} ${name.trim().toUpperCase()}`;
}
