import { columnOf, findHeader, hasColumns } from './headings.ts';
import type { Layout } from './layout.ts';

/**
 * Downloads of finance.yahoo.com. `Close` is read and `Adj Close` is not, because history is not
 * adjusted (contract 2.2.1). Yahoo's tickers of Buenos Aires end in `.BA`, which people omit, so
 * the operator decides where a name may be a local instrument.
 */
export const yahoo: Layout = {
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
