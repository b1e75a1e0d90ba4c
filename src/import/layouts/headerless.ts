import { looksLikeDate, findHeader } from './headings.ts';
import type { Layout } from './layout.ts';
import type { Row } from '../cells/table.ts';

/**
 * Rows without a header: date, open, high, low, close, volume, and perhaps an adjusted close, which
 * is the order of nearly all sources. The numbers must be consistent with it: in nine rows of ten,
 * open and close are between low and high.
 */
export const headerless: Layout = {
  recognise(head) {
    if (head.type === 'json' || findHeader(head) !== undefined) return undefined;
    const rows = head.rows.filter((row) => row.length > 1);
    const [{ length: width } = []] = rows;
    if (width !== 6 && width !== 7) return undefined;
    const consistent = rows.filter((row) => row.length === width && isConsistent(row)).length;
    if (consistent * 10 < rows.length * 9) return undefined;
    return {
      type: 'reading',
      reading: {
        layout: 'headerless',
        skipRows: 0,
        header: [],
        date: 0,
        naming: 'bare',
        gapsAllowed: false,
        series: [{ ticker: { type: 'file' }, open: 1, high: 2, low: 3, close: 4, volume: 5 }],
      },
    };
  },
};

function isConsistent(row: Row): boolean {
  // Only the order of the four values matters here, so either decimal sign may be read as a point.
  const [open = 0, high = 0, low = 0, close = 0] = row
    .slice(1, 5)
    .map((cell) => Number(cell.replace(',', '.')));
  return looksLikeDate(row[0]) && high >= Math.max(open, close) && low <= Math.min(open, close);
}
