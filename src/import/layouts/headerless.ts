import { isDateOrEpoch, isEpochCell } from '../cells/date-format.ts';
import { parseNumber } from '../cells/number-format.ts';
import { findHeader } from './headings.ts';
import type { Layout, TableHead } from './layout.ts';
import type { Row } from '../cells/table.ts';

/**
 * Rows without a header: date, open, high, low, close, volume, and perhaps an adjusted close or a number of
 * trades, which is the order of nearly all sources. The numbers must be consistent with it: in nine rows of
 * ten, open and close are between low and high.
 */
export const headerless: Layout = {
  recognise: (head) => recogniseRows(head, 'headerless', [6, 7], isBar),
};

/**
 * The klines of Binance, of data.binance.vision and of its API: twelve columns without a header, of which the
 * first and the seventh are the instants of the open and of the close.
 */
export const binanceKlines: Layout = {
  recognise: (head) =>
    recogniseRows(
      head,
      'binance-klines',
      [12],
      (row) => isBar(row) && [row[0], row[6]].every((cell) => isEpochCell(cell ?? '')),
    ),
};

function recogniseRows(
  head: TableHead,
  layout: 'headerless' | 'binance-klines',
  widths: readonly number[],
  fits: (row: Row) => boolean,
): ReturnType<Layout['recognise']> {
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
  if (fitting * 10 < rows.length * 9) return undefined;
  return {
    type: 'reading',
    reading: {
      layout,
      skipRows,
      header: [],
      date: 0,
      naming: 'bare',
      gapsAllowed: false,
      ...(isList && { usualDecimal: '.' }),
      series: [{ ticker: { type: 'file' }, open: 1, high: 2, low: 3, close: 4, volume: 5 }],
    },
  };
}

function isBar(row: Row): boolean {
  // Only the order of the four values matters here, so either decimal sign may be read as a point.
  const [open = 0, high = 0, low = 0, close = 0] = row.slice(1, 5).map((cell) => {
    const value = parseNumber(cell, '.');
    return Number.isNaN(value) ? parseNumber(cell, ',') : value;
  });
  return (
    isDateOrEpoch(row[0] ?? '') && high >= Math.max(open, close) && low <= Math.min(open, close)
  );
}
