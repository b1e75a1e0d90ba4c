import type { DateFormat } from '../cells/date-format.ts';
import type { Decimal } from '../cells/number-format.ts';
import type { Row } from '../cells/table.ts';
import type { NamedColumns } from '../refusals/import-refusal.ts';

/** A document of JSON that is no list of rows. */
export type DocumentName = 'yahoo-chart' | 'alpha-vantage';

/** All layouts, by the name that the report of an import shows. */
export type LayoutName =
  | DocumentName
  | 'pizarra'
  | 'rava-history'
  | 'rava-quote'
  | 'byma-series'
  | 'argentinadatos-exchange-rate'
  | 'argentinadatos-index'
  | 'nasdaq'
  | 'yahoo'
  | 'yfinance'
  | 'crypto-data-download'
  | 'lean'
  | 'wide'
  | 'headerless'
  | 'binance-klines'
  | 'generic';

/** The data that a layout is recognised from: a file's name and its first rows, with the header. */
export interface TableHead {
  /** The name with its folders and archive entries, separated by `/`. */
  readonly path: string;
  readonly type: 'csv' | 'json';
  readonly rows: readonly Row[];
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
  | { readonly type: 'row'; readonly tickerOf: (row: Row) => string }
  | { readonly type: 'heading'; readonly text: string }
  | { readonly type: 'known'; readonly ticker: string }
  | { readonly type: 'file' };

/** One series of a table: the indices of the columns of its values. */
export interface SeriesColumns {
  readonly ticker: TickerSource;
  /** Whether a row has a close of this series. Absent: every row has. */
  readonly when?: (row: Row) => boolean;
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
  readonly layout: LayoutName;
  /** Number of rows before the data: comments and the header. */
  readonly skipRows: number;
  /** The headings; empty without a header. */
  readonly header: Row;
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
  readonly omit?: { readonly when: (row: Row, date: string) => boolean; readonly because: string };
}

/** The result of recognition: a reading, or columns of which the operator must choose one. */
type Recognition =
  | { readonly type: 'reading'; readonly reading: Reading }
  | {
      readonly type: 'choice';
      readonly columns: readonly string[];
      /** Why the operator must choose, where it is not that several columns may be the close. */
      readonly because?: string;
    };

/** A layout. Undefined: no match. */
export interface Layout {
  recognise(head: TableHead, named?: NamedColumns): Recognition | undefined;
}
