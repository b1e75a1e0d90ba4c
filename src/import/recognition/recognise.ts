import {
  dateFormats,
  isDate,
  isEpochCell,
  parseDate,
  type DateFormat,
  type DayRule,
} from '../cells/date-format.ts';
import { findDateFormat } from '../cells/find-date-format.ts';
import {
  ImportRefusal,
  chooseDateFormat,
  chooseDecimal,
  optionText,
  type NamedColumns,
  type ReadingOptions,
} from '../refusals/import-refusal.ts';
import { argentinadatosExchangeRate } from '../layouts/argentinadatos.ts';
import { generic } from '../layouts/generic.ts';
import { binanceKlines, headerless, lean } from '../layouts/headerless.ts';
import { findHeader, foldHeading, headerRowsMax } from '../layouts/headings.ts';
import {
  sampleCells,
  type Layout,
  type Reading,
  type SeriesColumns,
  type TableHead,
} from '../layouts/layout.ts';
import { sources, type SourceName } from '../layouts/sources.ts';
import { wide } from '../layouts/wide.ts';
import { yfinance } from '../layouts/yfinance.ts';
import { findDecimal, isNumber, parseNumber, type Decimal } from '../cells/number-format.ts';
import { cellAt, type CellRow } from '../cells/table.ts';

/** A reading whose date format and decimal sign are known, with the first rows of data. */
export interface SettledReading extends Reading, DayRule {
  readonly decimal: Decimal;
  /** As {@link TableHead.path}. */
  readonly path: string;
  /** The first rows, without those before the data. */
  readonly rows: readonly CellRow[];
}

/** The layouts of known sources. The first that matches is used; two hardly ever match. */
const specific: readonly Layout[] = [sources, argentinadatosExchangeRate, yfinance, lean];

/**
 * The layouts for unknown sources. At most one of them matches, with one exception: if the operator names
 * the column of the close, a wide table matches `generic` too. So `wide` comes first.
 */
const shapes: readonly Layout[] = [wide, generic, headerless, binanceKlines];

/** All layouts, by the name that the report of an import shows. */
export type LayoutName =
  | SourceName
  | 'argentinadatos-exchange-rate'
  | 'yfinance'
  | 'wide'
  | 'generic'
  | 'lean'
  | 'headerless'
  | 'binance-klines';

/**
 * Decides how a table is read, from its name, its first rows and the operator's options.
 *
 * @throws {ImportRefusal} when no layout matches, or two interpretations are possible. The message
 *   shows both and names the option that decides.
 */
export function recognise(head: TableHead, options: ReadingOptions): SettledReading {
  const named = withNamedColumns(chooseReading(head, options), options);
  // The numbers of a workbook have a decimal point in every locale.
  const usual: Partial<Reading> = head.isSheet === true ? { usualDecimal: '.' } : {};
  const reading = { ...usual, ...withColumn(named, options.column) };
  refuseMoreCells(head, reading);
  const rows = head.rows.slice(reading.skipRows);
  return {
    ...reading,
    path: head.path,
    rows,
    dateFormat: settleDate(rows, reading, options.dateFormat),
    decimal: settleDecimal(rows, reading, options.decimal),
  };
}

function chooseReading(head: TableHead, named: NamedColumns): Reading {
  for (const layouts of [specific, shapes]) {
    const [found] = layouts.flatMap((layout) => layout.recognise(head, named) ?? []);
    if (found === undefined) continue;
    if ('series' in found) return found;
    const columns = found.columns.map((name) => `"${name}"`).join(' or ');
    throw new ImportRefusal('ambiguous', found.because ?? `the close may be ${columns}`, {
      kind: 'choose-close',
      suggestions: found.columns.map((name) => ({ column: name })),
    });
  }
  const dates = unknownDates(head);
  throw new ImportRefusal(
    'not-prices',
    `these are not daily prices: ${shownHead(head)}`,
    dates === undefined ? undefined : { kind: 'name-dates', suggestions: [{ dates }] },
  );
}

function settleDate(
  rows: readonly CellRow[],
  reading: Reading,
  requested: DateFormat | undefined,
): DateFormat {
  const cells = sampleCells(rows, [reading.date]);
  if (requested !== undefined) {
    if (cells.some((cell) => parseDate(cell, requested) !== undefined)) return requested;
    const message = `no date has the format ${requested}; for example "${cells[0] ?? ''}"`;
    throw new ImportRefusal('option-mismatch', message);
  }
  const finding = findDateFormat(cells);
  switch (finding.type) {
    case 'found':
      return finding.format;
    case 'ambiguous':
      if (reading.usualDate !== undefined && finding.formats.includes(reading.usualDate)) {
        return reading.usualDate;
      }
      throw new ImportRefusal(
        'ambiguous',
        `"${finding.cell}" is a date as ${finding.formats.join(' and as ')}, and no other row decides`,
        chooseDateFormat(finding.formats),
      );
    case 'intraday':
      throw severalTimes();
    case 'none': {
      const message = `the date column has no dates in a known format (${dateFormats.join(', ')})`;
      throw new ImportRefusal('not-prices', message);
    }
  }
}

/** The refusal of dates that are not those of daily prices. */
export function severalTimes(): ImportRefusal {
  const message = 'the dates have several times of day, so these are not daily prices';
  return new ImportRefusal('not-prices', message);
}

function settleDecimal(
  rows: readonly CellRow[],
  reading: Reading,
  requested: Decimal | undefined,
): Decimal {
  const columns = reading.series.flatMap(({ close, open, high, low }) => [close, open, high, low]);
  const cells = sampleCells(rows, columns);
  if (requested !== undefined) {
    const fits = (cell: string): boolean => !Number.isNaN(parseNumber(cell, requested));
    if (cells.length === 0 || cells.some(fits)) return requested;
    const message = `no price is a number with "${requested}" as the decimal sign; for example "${cells[0] ?? ''}"`;
    throw new ImportRefusal('option-mismatch', message);
  }
  const finding = findDecimal(cells);
  if (finding.type === 'found') return finding.decimal;
  if (reading.usualDecimal !== undefined) return reading.usualDecimal;
  const { cell } = finding;
  throw new ImportRefusal(
    'ambiguous',
    `"${cell}" may be ${cell.replace(',', '.')} or ${cell.replaceAll(/[.,]/g, '')}, and no ` +
      'other cell decides',
    chooseDecimal,
  );
}

function shownHead(head: TableHead): string {
  const [first = []] = head.rows;
  if (first.every((cell) => cell.trim() === '')) return 'the file has no rows';
  const cells = first.slice(0, 8).map((cell) => cell.slice(0, 30));
  return `no layout matches the first row "${cells.join(',')}"`;
}

/** The heading of the column of dates, if it is not a known word for a date. Titles may be above it. */
function unknownDates({ rows, type }: TableHead): string | undefined {
  if (findHeader({ rows }) !== undefined) return undefined;
  // The headings of lists in JSON are the positions of their cells.
  const isList = type === 'json' && rows[0]?.every((cell, at) => cell === String(at)) === true;
  for (const [above, headings] of rows.slice(0, headerRowsMax).entries()) {
    const [first = [], ...others] = rows.slice(above + 1);
    const isDated = (heading: string, at: number) =>
      (isList || isHeading(heading)) &&
      (isDate(first[at] ?? '') || areEpochs([first, ...others], at));
    const at = headings.findIndex(isDated);
    if (at >= 0 && first.some((cell, index) => index !== at && isNumber(cell))) {
      return headings[at]?.trim();
    }
  }
  return undefined;
}

function isHeading(cell: string): boolean {
  return cell.trim() !== '' && !isDate(cell) && !isNumber(cell);
}

/** Whether a column has epochs, of which each is later or each is earlier than the one before. */
function areEpochs(rows: readonly CellRow[], column: number): boolean {
  const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell.trim() !== '');
  const steps = cells.slice(1).map((cell, at) => Math.sign(Number(cell) - Number(cells[at])));
  return steps.length > 0 && cells.every(isEpochCell) && Math.abs(sum(steps)) === steps.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Refuses rows of which most have more cells than the header. A value that contains the delimiter is not
 * quoted, such as a date or a price, so the values are not below their headings.
 */
function refuseMoreCells(head: TableHead, { header, skipRows }: Reading): void {
  if (head.type !== 'csv' || header.length === 0) return;
  const widths = head.rows
    .slice(skipRows)
    .map((row) => row.findLastIndex((cell) => cell.trim() !== '') + 1)
    .filter((width) => width > 1);
  const [wider, ...others] = widths.filter((width) => width > header.length);
  if (wider === undefined || (others.length + 1) * 2 <= widths.length) return;
  throw new ImportRefusal(
    'not-prices',
    `the rows have ${wider} cells and the heading ${header.length}; put quotes around values that ` +
      'contain the delimiter, such as "Jan 19, 2024"',
  );
}

/**
 * The same reading, with the dates and the tickers in the columns that the operator named.
 *
 * @throws {ImportRefusal} `option-mismatch` when no column, or more than one, has that name, or when the layout
 *   names its instruments itself.
 */
function withNamedColumns(reading: Reading, { dates, tickerColumn }: NamedColumns): Reading {
  const date = dates === undefined ? reading.date : placeOf(dates, reading);
  if (tickerColumn === undefined) return { ...reading, date };
  const index = placeOf(tickerColumn, reading);
  const series = reading.series.map((one): SeriesColumns => {
    const { type } = one.ticker;
    if (type !== 'row' && type !== 'heading') return { ...one, ticker: { type: 'column', index } };
    const option = optionText('tickerColumn', cellAt(reading.header, index));
    throw new ImportRefusal(
      'option-mismatch',
      `${option} does not fit: the layout ${reading.layout} names its instruments itself`,
      { kind: 'leave-out-ticker-column', suggestions: [{ tickerColumn: null }] },
    );
  });
  return { ...reading, date, series };
}

/**
 * The same reading, with the closes in the column that the operator named.
 *
 * @throws {ImportRefusal} `option-mismatch` when no column of values, or more than one, has that name. The
 *   message lists the columns.
 */
export function withColumn(reading: Reading, column: string | undefined): Reading {
  if (column === undefined) return reading;
  if (reading.layout === 'wide') {
    // Each series of a wide table is an instrument. Import only the one that the operator named.
    const name = foldHeading(column);
    const named = reading.series.filter((one) => namesOf(one, reading).includes(name));
    if (named.length !== 1) throw noColumn(column, named.length, reading);
    return { ...reading, series: named };
  }
  const close = placeOf(column, reading, (index) => isValue(index, reading));
  // A row may give several instruments, such as the bid and the ask of a dollar. The named column is for
  // the last one, which is the main one. The others keep their columns.
  const series = reading.series.map((one, at) =>
    at === reading.series.length - 1 ? { ...one, close } : one,
  );
  return { ...reading, series };
}

/** The index of the only column with a name, among those that `mayBe` accepts. */
function placeOf(name: string, reading: Reading, mayBe?: (index: number) => boolean): number {
  const folded = foldHeading(name);
  const places = reading.header.flatMap((heading, index) =>
    mayBe?.(index) !== false && foldHeading(heading) === folded ? [index] : [],
  );
  const [index] = places;
  if (index === undefined || places.length > 1) throw noColumn(name, places.length, reading);
  return index;
}

/** Maximum number of columns in a refusal. */
const columnsShownMax = 20;

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
