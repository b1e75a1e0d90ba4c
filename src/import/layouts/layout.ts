import type { DateFormat } from '../cells/date-format.ts';
import type { Decimal } from '../cells/number-format.ts';
import type { Row } from '../cells/table.ts';

/** What a layout is recognised from: a file's name and its first rows, the header among them. */
export interface TableHead {
  /** The name with its folders, archive entries included, `/` between them. */
  readonly path: string;
  readonly type: 'csv' | 'json';
  readonly rows: readonly Row[];
}

/**
 * Whose names these are. `canonical`: the universe's own (Rava, BYMA, argentinadatos). `us`: of a US
 * exchange, so that `AAPL` is `AAPL_US` and never the CEDEAR of that name. `yahoo`: a name without a
 * market is of the US, but people leave `.BA` out. `bare`: nothing says.
 */
export type Naming = 'canonical' | 'us' | 'yahoo' | 'bare';

/** Where the ticker of a series is found. */
type TickerSource =
  | { readonly type: 'column'; readonly index: number }
  /** Each row names its instrument, in other words than the universe. */
  | { readonly type: 'row'; readonly tickerOf: (row: Row) => string }
  | { readonly type: 'heading'; readonly text: string }
  | { readonly type: 'known'; readonly ticker: string }
  | { readonly type: 'file' };

/** One series of a table: which columns, by index, hold its values. */
export interface SeriesColumns {
  readonly ticker: TickerSource;
  /** Which rows have a close of this series; without it, all. */
  readonly when?: (row: Row) => boolean;
  readonly close: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  readonly volume?: number;
}

/** How a table is to be read. A value: it says everything, and nothing is left to a guess. */
export interface Reading {
  readonly layout: string;
  /** Rows before the first row of data: comments and the header. */
  readonly skipRows: number;
  /** The headings; empty where there is no header. */
  readonly header: Row;
  readonly date: number;
  readonly naming: Naming;
  /** Several where a row holds the closes of several instruments. */
  readonly series: readonly SeriesColumns[];
  /** An empty close is a gap (a matrix), where elsewhere it is a bad row. */
  readonly gapsAllowed: boolean;
  /** What the layout's own makers write; settles a file that would read both ways. */
  readonly usualDate?: DateFormat;
  readonly usualDecimal?: Decimal;
  /** Prices are written as integers, this many times too large. */
  readonly scale?: number;
  /** Headings of columns that nothing is read from, where the layout has no columns of its own. */
  readonly unused?: readonly string[];
  /** Rows to leave out, with what is said of them. */
  readonly omit?: { readonly when: (row: Row, date: string) => boolean; readonly because: string };
}

/** What a layout makes of a table: a reading, a choice that it must not make, or nothing. */
type Recognition =
  | { readonly type: 'reading'; readonly reading: Reading }
  | { readonly type: 'choice'; readonly columns: readonly string[] };

/** One layout. `column` is the close column that the operator named, where one was. */
export interface Layout {
  readonly name: string;
  recognise(head: TableHead, column?: string): Recognition | undefined;
}
