import { dateFormats, findDateFormat, parseDate } from './date-format.ts';
import type { DateFormat } from './date-format.ts';
import { ImportRefusal } from './import-refusal.ts';
import { argentinadatosExchangeRate, argentinadatosIndex } from './layouts/argentinadatos.ts';
import { bymaSeries } from './layouts/byma-series.ts';
import { cryptoDataDownload } from './layouts/crypto-data-download.ts';
import { generic } from './layouts/generic.ts';
import { foldHeading } from './layouts/headings.ts';
import { headerless } from './layouts/headerless.ts';
import type { Layout, Reading, Recognition, TableHead } from './layouts/layout.ts';
import { lean } from './layouts/lean.ts';
import { nasdaq } from './layouts/nasdaq.ts';
import { pizarra } from './layouts/pizarra.ts';
import { rava } from './layouts/rava.ts';
import { wide } from './layouts/wide.ts';
import { yahoo } from './layouts/yahoo.ts';
import { findDecimal } from './number-format.ts';
import type { Decimal } from './number-format.ts';

/** What the operator said about how files are written. */
export interface ReadingWishes {
  /** The heading of the column that is the close. */
  readonly column?: string;
  readonly dateFormat?: DateFormat;
  readonly decimal?: Decimal;
}

/** A reading with nothing left open. */
export interface SettledReading extends Reading {
  readonly dateFormat: DateFormat;
  readonly decimal: Decimal;
}

/** The layouts of known makers; at most one of them fits a table. */
const specific: readonly Layout[] = [
  pizarra,
  rava,
  bymaSeries,
  argentinadatosExchangeRate,
  argentinadatosIndex,
  nasdaq,
  yahoo,
  cryptoDataDownload,
  lean,
];

/** What is tried where no maker is known. */
const shapes: readonly Layout[] = [generic, wide, headerless];

/** Most cells that a date format or a decimal sign is found from. */
const sampleCellsMax = 20_000;

/**
 * Decides how a table is to be read, from its name and first rows and from what the operator said.
 *
 * @throws {ImportRefusal} when nothing fits, or two things do: it shows both and names the option
 * that settles it.
 */
export function recognise(head: TableHead, wishes: ReadingWishes): SettledReading {
  const reading = withColumn(chooseReading(head, wishes.column), wishes.column);
  return {
    ...reading,
    dateFormat: settleDate(head, reading, wishes.dateFormat),
    decimal: settleDecimal(head, reading, wishes.decimal),
  };
}

function chooseReading(head: TableHead, column: string | undefined): Reading {
  for (const layouts of [specific, shapes]) {
    const found = layouts.flatMap((layout) => layout.recognise(head, column) ?? []);
    const [first, second] = found;
    if (first === undefined) continue;
    if (second !== undefined) {
      throw new ImportRefusal(
        'ambiguous',
        `reads as the layout ${nameOf(first)} and as ${nameOf(second)}; name the close with --column`,
      );
    }
    if (first.type === 'reading') return first.reading;
    const columns = first.columns.map((name) => `"${name}"`).join(' or ');
    throw new ImportRefusal('ambiguous', `the close may be ${columns}; say which with --column`);
  }
  throw new ImportRefusal('not-prices', `no daily prices: ${shownHead(head)}`);
}

function nameOf(recognition: Recognition): string {
  return recognition.type === 'reading' ? recognition.reading.layout : recognition.layout;
}

/** Takes the close from the column that the operator named. */
function withColumn(reading: Reading, column: string | undefined): Reading {
  if (column === undefined) return reading;
  const index = reading.header.map(foldHeading).indexOf(foldHeading(column));
  if (index < 0) {
    const columns = reading.header.join(', ') || 'none: it has no header';
    throw new ImportRefusal('option-mismatch', `no column "${column}"; the columns are ${columns}`);
  }
  if (reading.layout === 'wide') {
    // In a matrix a column is an instrument: to name one is to import that one alone.
    return { ...reading, series: reading.series.filter((one) => one.close === index) };
  }
  // The last series of a layout is its main one; a bid or an ask beside it keeps its own column.
  return {
    ...reading,
    series: reading.series.map((one, at) =>
      at === reading.series.length - 1 ? { ...one, close: index } : one,
    ),
  };
}

function settleDate(head: TableHead, reading: Reading, wished: DateFormat | undefined): DateFormat {
  const cells = sample(head, reading, [reading.date]);
  if (wished !== undefined) {
    if (cells.some((cell) => parseDate(cell, wished) !== undefined)) return wished;
    const message = `no date reads as ${wished}, for instance "${cells[0] ?? ''}"`;
    throw new ImportRefusal('option-mismatch', message);
  }
  const finding = findDateFormat(cells);
  switch (finding.type) {
    case 'found':
      return finding.format;
    case 'ambiguous':
      if (reading.usualDate !== undefined) return reading.usualDate;
      throw new ImportRefusal(
        'ambiguous',
        `"${finding.cell}" reads as DD/MM/YYYY and as MM/DD/YYYY, and no row tells which; ` +
          'say it with --date-format',
      );
    case 'intraday':
      throw new ImportRefusal('not-prices', 'several times of day: these are not daily prices');
    case 'none': {
      const message = `no dates such as ${dateFormats.join(', ')} in the column of dates`;
      throw new ImportRefusal('not-prices', message);
    }
  }
}

function settleDecimal(head: TableHead, reading: Reading, wished: Decimal | undefined): Decimal {
  if (wished !== undefined) return wished;
  const columns = reading.series.flatMap(({ close, open, high, low }) => [close, open, high, low]);
  const finding = findDecimal(sample(head, reading, columns));
  if (finding.type === 'found') return finding.decimal;
  if (reading.usualDecimal !== undefined) return reading.usualDecimal;
  const { cell } = finding;
  throw new ImportRefusal(
    'ambiguous',
    `"${cell}" reads as ${cell.replace(',', '.')} and as ${cell.replaceAll(/[.,]/g, '')}, and no ` +
      'cell tells which; say it with --decimal',
  );
}

function sample(
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

function shownHead(head: TableHead): string {
  const [first = []] = head.rows;
  if (first.every((cell) => cell.trim() === '')) return 'it has no rows';
  const cells = first.slice(0, 8).map((cell) => cell.slice(0, 30));
  return `no layout fits a first row of "${cells.join(',')}"`;
}
