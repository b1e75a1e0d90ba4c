import type { Layout } from './layout.ts';

/**
 * The header that `pizarra export` writes. A test compares it with
 * `app/commands/export-history.ts`.
 */
const header = ['ticker', 'date', 'close', 'open', 'high', 'low', 'volume'];

/** The files of `pizarra export`. Their tickers are those of the universe. */
export const pizarra: Layout = {
  recognise({ rows: [first = []] }) {
    const fits =
      first.length === header.length && first.every((cell, at) => cell.trim() === header[at]);
    if (!fits) return undefined;
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
          { ticker: { type: 'column', index: 0 }, close: 2, open: 3, high: 4, low: 5, volume: 6 },
        ],
      },
    };
  },
};
