import type { DateFormat } from '../cells/date-format.ts';
import type { Decimal } from '../cells/number-format.ts';
import type { CellRow } from '../cells/table.ts';
import type { NamedColumns } from '../refusals/import-refusal.ts';

/** A document of JSON that is no list of rows. */
export type DocumentName = 'yahoo-chart' | 'alpha-vantage';

/** The data that a layout is recognised from: a file's name and its first rows, with the header. */
export interface TableHead {
  /** The name with its folders and archive entries, separated by `/`. */
  readonly path: string;
  readonly type: 'csv' | 'json';
  readonly rows: readonly CellRow[];
  /** The document of which the rows were made, if it is no table itself. */
  readonly document?: DocumentName;
  /** Whether it is a sheet of a workbook. Its numbers have a decimal point. */
  readonly isSheet?: boolean;
}

/**
 * The convention of the names in a file. `canonical`: tickers of the universe (Rava, BYMA,
 * argentinadatos). `us`: names of a US exchange, so `AAPL` is `AAPL_US` and not the CEDEAR.
 * `yahoo`: a name without a market is of the US, but people omit `.BA`. `yahoo-symbol`: the symbols of
 * Yahoo Finance as its interface has them. `ticker`: tickers of the universe, by the heading of their
 * column, unless the file contradicts it. `bare`: unknown.
 */
export type Naming = 'canonical' | 'us' | 'yahoo' | 'yahoo-symbol' | 'ticker' | 'bare';

/** Where the ticker of a series is. */
type TickerSource =
  | { readonly type: 'column'; readonly index: number }
  /** Each row names its instrument, by another name than its ticker. */
  | { readonly type: 'row'; readonly tickerOf: (row: CellRow) => string }
  | { readonly type: 'heading'; readonly text: string }
  | { readonly type: 'known'; readonly ticker: string }
  | { readonly type: 'file' };

/** The columns of a series that a layout names. */
export type PriceColumn = 'close' | 'open' | 'high' | 'low' | 'volume' | 'source';

/** One series of a table: the indices of the columns of its values. */
export interface SeriesColumns {
  readonly ticker: TickerSource;
  /** Whether a row has a close of this series. Absent: every row has. */
  readonly when?: (row: CellRow) => boolean;
  readonly close: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  readonly volume?: number;
  /** The column of the source of each close, which only an export has. */
  readonly source?: number;
  /** The column of the cash dividend whose ex date is the date of the row. */
  readonly dividend?: number;
  /** The column of the split whose ex date is the date of the row. */
  readonly split?: number;
}

/** How a table is read. It is complete: no further decision is needed to read the rows. */
export interface Reading {
  /** The name that the report of an import shows. */
  readonly layout: string;
  /** Number of rows before the data: comments and the header. */
  readonly skipRows: number;
  /** The headings; empty without a header. */
  readonly header: CellRow;
  readonly date: number;
  readonly naming: Naming;
  /** Several where a row has closes of several instruments. */
  readonly series: readonly SeriesColumns[];
  /** Whether an empty close is a gap, as in a matrix. Otherwise its row is rejected. */
  readonly gapsAllowed: boolean;
  /** The format that this source uses. It decides where a file could be read in several. */
  readonly usualDate?: DateFormat;
  readonly usualDecimal?: Decimal;
  /** The currency of all prices (ISO 4217), where the source has one only. */
  readonly currency?: string;
  /** Whether the source subtracts dividends from its closes. */
  readonly isAdjusted?: boolean;
  /** The divisor of all prices, where they are written as integers. */
  readonly scale?: number;
  /** Headings of columns that are not read, for layouts without fixed columns. */
  readonly unused?: readonly string[];
  /** The rows to skip, and the reason for the report. */
  readonly omit?: {
    readonly when: (row: CellRow, date: string) => boolean;
    readonly because: string;
  };
}

/** Columns of which the operator must choose the close. */
export interface Choice {
  readonly columns: readonly string[];
  /** Why the operator must choose, where it is not that several columns may be the close. */
  readonly because?: string;
}

/** A layout. Undefined: no match. */
export interface Layout {
  recognise(head: TableHead, named?: NamedColumns): Reading | Choice | undefined;
}

/** A reading of the rows under a header. */
export function readingUnder(
  { skipRows, cells }: { readonly skipRows: number; readonly cells: CellRow },
  rest: Pick<Reading, 'layout' | 'date' | 'naming' | 'series'> & Partial<Reading>,
): Reading {
  return { skipRows, header: cells, gapsAllowed: false, ...rest };
}

/** A column of a series. */
export type ColumnName = Exclude<keyof SeriesColumns, 'ticker' | 'when'>;

/**
 * The series of a matrix with several columns for each instrument, in any order. Columns without a close are no series.
 *
 * @param columns the heading of the instrument and the name of each column. A column without a name is not read.
 */
export function groupedSeries(
  columns: readonly (readonly [text: string, name: ColumnName | undefined])[],
): readonly SeriesColumns[] {
  const byText = new Map<string, Partial<Record<ColumnName, number>>>();
  for (const [index, [text, name]] of columns.entries()) {
    if (name !== undefined) byText.getOrInsertComputed(text, () => ({}))[name] = index;
  }
  return [...byText].flatMap(([text, { close, ...others }]) =>
    close === undefined || text === ''
      ? []
      : [{ ticker: { type: 'heading', text }, close, ...others } as const],
  );
}

/** Maximum number of cells from which a date format or a decimal sign is found. */
const sampleCellsMax = 20_000;

/** The filled cells of some columns in the first rows of a table. */
export function sampleCells(
  rows: readonly CellRow[],
  columns: readonly (number | undefined)[],
): readonly string[] {
  const cells: string[] = [];
  for (const row of rows) {
    for (const column of columns) {
      const cell = column === undefined ? undefined : row[column];
      if (cell !== undefined && cell.trim() !== '') cells.push(cell);
    }
    if (cells.length >= sampleCellsMax) break;
  }
  return cells;
}
