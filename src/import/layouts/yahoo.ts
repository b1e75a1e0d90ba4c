import { columnOf, findHeader, hasColumns } from './headings.ts';
import type { Layout } from './layout.ts';

/**
 * What finance.yahoo.com lets people download. `Close` is read and `Adj Close` is not: history is
 * kept as traded (decisions row 14). Yahoo's own names of shares in Buenos Aires end in `.BA`, which
 * people leave out, so the operator says which is meant where the name may be a local instrument.
 */
export const yahoo: Layout = {
  name: 'yahoo',
  recognise(head) {
    const header = findHeader(head);
    const columns = ['date', 'open', 'high', 'low', 'close', 'adj close', 'volume'];
    if (header === undefined || !hasColumns(header, columns)) return undefined;
    return {
      type: 'reading',
      reading: {
        layout: 'yahoo',
        skipRows: header.skipRows,
        header: header.cells,
        date: columnOf(header, 'date'),
        naming: 'yahoo',
        gapsAllowed: false,
        usualDate: 'YYYY-MM-DD',
        usualDecimal: '.',
        series: [
          {
            ticker: { type: 'file' },
            close: columnOf(header, 'close'),
            open: columnOf(header, 'open'),
            high: columnOf(header, 'high'),
            low: columnOf(header, 'low'),
            volume: columnOf(header, 'volume'),
          },
        ],
      },
    };
  },
};
