import { isDateOrEpoch, isEpochCell } from '../cells/date-format.ts';
import { parseNumber } from '../cells/number-format.ts';
import type { CellRow } from '../cells/table.ts';
import { findHeader } from './headings.ts';
import { readingUnder, type Layout, type Reading } from './layout.ts';

/** Rows without a header: date, open, high, low, close, volume and perhaps more, the order of nearly all sources. */
interface HeaderlessRows extends Partial<Reading> {
  readonly layout: string;
  /** How many cells a row may have. Each entry is one possibility. */
  readonly widths: readonly number[];
  readonly fits: (row: CellRow) => boolean;
  /** How many rows out of ten must satisfy `fits`. */
  readonly ofTen: number;
}

/**
 * The daily equity files of QuantConnect's Lean: unadjusted prices times ten thousand. Only its US equities have
 * this format.
 */
export const lean = headerlessLayout({
  layout: 'lean',
  widths: [6],
  fits: ([date = '', ...values]) =>
    /^\d{8} \d{2}:\d{2}$/.test(date) && values.every((cell) => /^\d+$/.test(cell)),
  ofTen: 10,
  naming: 'us',
  usualDate: 'YYYYMMDD',
  usualDecimal: '.',
  currency: 'USD',
  scale: 10_000,
});

/** The seventh cell is perhaps an adjusted close or a number of trades. */
export const headerless = headerlessLayout({
  layout: 'headerless',
  widths: [6, 7],
  fits: isBar,
  ofTen: 9,
});

/** The klines of Binance: the first and the seventh cell are the instants of the open and of the close. */
export const binanceKlines = headerlessLayout({
  layout: 'binance-klines',
  widths: [12],
  fits: (row) => isBar(row) && [row[0], row[6]].every((cell) => isEpochCell(cell ?? '')),
  ofTen: 9,
});

function headerlessLayout({ widths, fits, ofTen, ...rest }: HeaderlessRows): Layout {
  return {
    recognise(head) {
      if (findHeader(head) !== undefined) return undefined;
      // The header of JSON lists has the positions of the cells.
      const [first = []] = head.rows;
      const isList = head.type === 'json' && first.every((cell, at) => cell === String(at));
      if (head.type === 'json' && !isList) return undefined;
      const skipRows = isList ? 1 : 0;
      const rows = head.rows.slice(skipRows).filter((row) => row.length > 1);
      const [{ length: width } = []] = rows;
      if (width === undefined || !widths.includes(width)) return undefined;
      const fitting = rows.filter((row) => row.length === width && fits(row)).length;
      if (fitting * 10 < rows.length * ofTen) return undefined;
      return readingUnder(
        { skipRows, cells: [] },
        {
          date: 0,
          naming: 'bare',
          ...(isList && { usualDecimal: '.' }),
          series: [{ ticker: { type: 'file' }, open: 1, high: 2, low: 3, close: 4, volume: 5 }],
          ...rest,
        },
      );
    },
  };
}

/** In a bar, open and close are between low and high. */
function isBar(row: CellRow): boolean {
  // Only the order of the four values matters here, so either decimal sign may be read as a point.
  const [open = 0, high = 0, low = 0, close = 0] = row.slice(1, 5).map((cell) => {
    const value = parseNumber(cell, '.');
    return Number.isNaN(value) ? parseNumber(cell, ',') : value;
  });
  return (
    isDateOrEpoch(row[0] ?? '') && high >= Math.max(open, close) && low <= Math.min(open, close)
  );
}
