import type { DateFormat } from '../cells/date-format.ts';
import type { Decimal } from '../cells/number-format.ts';

/** The columns that the operator named by their headings. */
export interface NamedColumns {
  /** The column with the close. In a matrix, the only column to import. */
  readonly column?: string | undefined;
  /** The column with the instrument of each row. */
  readonly tickerColumn?: string | undefined;
  /** The column with the dates. */
  readonly dates?: string | undefined;
}

/** The operator's options for reading files. */
export interface ReadingOptions extends NamedColumns {
  readonly dateFormat?: DateFormat;
  readonly decimal?: Decimal;
}

/** The operator's options. */
export interface ImportOptions extends ReadingOptions {
  /** The instrument, for a file that does not name it. */
  readonly ticker?: string;
  /** The suffix that turns names in files into tickers (`_US`). Empty: names are tickers. */
  readonly suffix?: string;
  /** The sheet of a workbook. */
  readonly sheet?: string;
  /** The time zone whose days the dates are of, where they are instants. */
  readonly zone?: string;
  /** Record the dividends and splits in the columns of the files as corporate actions. */
  readonly actions?: boolean;
  /** Replace stored closes also where most of those of an instrument are on another level. */
  readonly replace?: boolean;
  /** Do everything except storing the result. */
  readonly dryRun?: boolean;
}
