import type { Layout } from './layout.ts';

/** The header of what `pizarra export` writes; `app/commands/export-history.ts` says it too, and a test both. */
const header = ['ticker', 'date', 'close', 'open', 'high', 'low', 'volume'];

/** What `pizarra export` writes. Its tickers are the universe's own, so nothing is left to a guess. */
export const pizarra: Layout = {
  name: 'pizarra',
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
