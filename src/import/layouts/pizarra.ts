import type { Layout } from './layout.ts';

/**
 * The header that `pizarra export` writes. A test compares it with
 * `operator/history/export-history.ts`.
 */
const header = ['ticker', 'date', 'close', 'open', 'high', 'low', 'volume', 'source'];

/**
 * The files of `pizarra export`. Their tickers are those of the universe. Older exports have no
 * source.
 */
export const pizarra: Layout = {
  recognise({ rows: [first = []] }) {
    const hasSource = first.length === header.length;
    const isWhole = hasSource || first.length === header.length - 1;
    if (!isWhole || first.some((cell, at) => cell.trim() !== header[at])) return undefined;
    return {
      type: 'reading',
      reading: {
        layout: 'pizarra',
        skipRows: 1,
        header: first,
        date: 1,
        naming: 'canonical',
        gapsAllowed: false,
        usualDate: 'YYYY-MM-DD',
        usualDecimal: '.',
        series: [
          {
            ticker: { type: 'column', index: 0 },
            close: 2,
            open: 3,
            high: 4,
            low: 5,
            volume: 6,
            ...(hasSource && { source: 7 }),
          },
        ],
      },
    };
  },
};
