import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { hasUnits } from '../../domain/history/action-evidence.ts';
import { agree } from '../../domain/history/judge/move.ts';
import { isSamePrice } from '../../domain/values/same-price.ts';
import { parseNumber, type Decimal } from '../cells/number-format.ts';
import { cellAt, type CellRow } from '../cells/table.ts';
import type { CloseTarget } from '../closes/close-target.ts';
import { nameOfFile } from '../files/file-name.ts';
import {
  foldHeading,
  looksLikeDate,
  meaningOf,
  noPricesIn,
  type Meaning,
} from '../layouts/headings.ts';
import type { BoundSeries } from '../names/binding.ts';
import { usSuffix, withSuffix } from '../names/naming.ts';
import { ImportRefusal, operatorKnows } from '../refusals/import-refusal.ts';
import { closesIn, type Check, type CheckedTable } from './checked-table.ts';

/**
 * Share of negative values from which a column does not contain prices. About half of all daily
 * returns are negative. A price is negative only by mistake, which is rare.
 */
const negativesMax = 0.2;

/**
 * Number of negative values that are accepted as mistakes, whatever their share of a short table.
 */
const negativesFreeMax = 1;

/** Minimum number of consecutive numbers from 0 or 1 that are those of rows. */
const rowNumbersMin = 3;

/** Minimum number of instruments of which the values of a day are compared. */
const alikeMin = 3;

/** Share of the days on which the values are alike, from which they are no prices. */
const alikeShare = 0.9;

/** Minimum number of days without any change from which values are no prices. */
const constantMin = 5;

/**
 * Refuses a table of other values than prices for an instrument that has prices: returns, yields, parities,
 * durations, ratios, the numbers of rows, and implied dollars. Their headings, the name of the file or of
 * the sheet, or the values reveal them.
 */
export const noPrices: Check = (table) => {
  const { reading, series, options } = table;
  const { ticker: given, sheet = '' } = options;
  for (const one of series) {
    const heading = cellAt(reading.header, one.columns.close);
    refuseRowNumbers(table, one, heading);
    const byTarget = Map.groupBy(closesIn(table, one), ({ target }) => target);
    for (const [target, closes] of byTarget) {
      if (target === undefined) continue;
      const { instrument, isPrice } = target;
      const isAnyone = given === operatorKnows;
      if (!isPrice && !isAnyone) continue;
      const { ticker } = instrument;
      // A heading that is the instrument's own ticker indicates no returns: CHANGE may be a ticker.
      const name = foldHeading(heading).toUpperCase();
      const isName = ticker === name || ticker === withSuffix(name, usSuffix);
      const texts = isName ? [] : [heading];
      if (!isPriceHeading(heading)) texts.push(nameOfFile(reading.path), sheet);
      for (const text of texts) {
        const found = noPricesIn(text);
        if (found === undefined || (isAnyone && found.isRate === true)) continue;
        const subject = text === heading ? 'the column' : 'the name';
        const of = isAnyone ? '' : ` of ${ticker}`;
        const message = `${subject} "${text}" ${text === heading ? 'contains' : 'means'} ${found.what}, not prices${of}`;
        throw new ImportRefusal('not-prices', message);
      }
      const { length: negatives } = closes.filter(({ close }) => close < 0);
      if (isPrice && negatives > negativesFreeMax && negatives >= closes.length * negativesMax) {
        const where = heading === '' ? '' : ` in the column "${heading}"`;
        const message = `${negatives} of the first ${closes.length} values of ${ticker}${where} are negative`;
        throw new ImportRefusal(
          'not-prices',
          `${message}, so these are returns or changes, not prices`,
        );
      }
    }
  }
};

/** Whether a heading says that a column has prices. `valor` may be anything. */
function isPriceHeading(heading: string): boolean {
  const folded = foldHeading(heading);
  const meaning = meaningOf(folded);
  return meaning !== undefined && folded !== 'valor' && folded !== 'value';
}

/** Refuses the numbers of rows, which pandas and others write as a column. */
function refuseRowNumbers(table: CheckedTable, one: BoundSeries, heading: string): void {
  if (meaningOf(foldHeading(heading)) === 'close') return;
  let [count, first, last] = [0, 0, 0];
  for (const { close } of closesIn(table, one)) {
    if (count === 0) first = close;
    const step = count < 2 ? Math.abs(close - last) : (close - last) * Math.sign(last - first);
    if (count > 0 && step !== 1) return;
    last = close;
    count += 1;
  }
  const lowest = Math.min(first, last);
  if (count < rowNumbersMin || (lowest !== 0 && lowest !== 1)) return;
  const message = `the column "${heading}" contains the numbers of the rows, not prices`;
  throw new ImportRefusal('not-prices', message);
}

/** The values of several shares are alike: these are implied dollars, ratios or series from one base. */
export const alikeValues: Check = (table) => {
  if (table.reading.layout !== 'wide') return;
  const days = new Map<number, Map<CloseTarget, number>>();
  for (const { day, close, target } of closesIn(table, ...table.series)) {
    // Only the prices of shares and the like are on levels of their own. Bonds and exchange rates may be alike.
    if (target === undefined || !hasUnits(target.instrument.kind)) continue;
    days.getOrInsertComputed(day, () => new Map()).set(target, close);
  }
  const rows = [...days.values()].filter(({ size }) => size >= alikeMin);
  const [first] = rows;
  if (first === undefined) return;
  const areAlike = ({ length }: readonly unknown[]) => length >= rows.length * alikeShare;
  const tickers = [...first.keys()].slice(0, alikeMin).map(({ instrument }) => instrument.ticker);
  const of = `the values of ${tickers.join(', ')}`;
  if (areAlike(rows.filter((values) => agree(...values.values())))) {
    throw new ImportRefusal(
      'not-prices',
      `${of} and the others are within 10 % of each other on each day, so these are implied dollars or ` +
        'another measure, not prices',
    );
  }
  if (new Set(first.values()).size === 1) {
    throw new ImportRefusal(
      'not-prices',
      `${of} begin with the same number, so these are no prices`,
    );
  }
  const isConstant = [...first].every(([target, value]) =>
    rows.every((values) => (values.get(target) ?? value) === value),
  );
  if (rows.length >= constantMin && isConstant) {
    throw new ImportRefusal('not-prices', `${of} never change, so these are no prices`);
  }
};

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
export const mixedRows: Check = (table) => {
  for (const one of table.series) refuseMixed(table, one);
};

function refuseMixed(table: CheckedTable, one: BoundSeries): void {
  const { reading } = table;
  const first = new Map<string, { readonly close: number; readonly row: CellRow }>();
  const repeats: (readonly [CellRow, CellRow])[] = [];
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
      kind: 'name-tickers',
      suggestions: isNamed ? [] : headings.map((name) => ({ tickerColumn: name, ticker: null })),
    },
  );
}

/** Refuses a table with a column such as `field`: open, close, volume. */
function refuseFields({ reading }: CheckedTable, columns: readonly number[]): void {
  for (const column of columns) {
    const names = new Set(reading.rows.map((row) => cellAt(row, column)));
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
function textColumns({ reading }: CheckedTable): number[] {
  const { rows, header, decimal } = reading;
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
