import { cellAt } from '../cells/table.ts';
import { columnOf, findHeader, hasColumns } from './headings.ts';
import type { Layout } from './layout.ts';

const columns = ['date', 'volume', 'open', 'high', 'low'];

/**
 * Downloads of nasdaq.com: newest row first, `MM/DD/YYYY`, prices such as `"$1,612.75"`. The dollar
 * sign proves that they are of the US share, so `AAPL.csv` is `AAPL_US` and not the CEDEAR.
 */
export const nasdaq: Layout = {
  recognise(head) {
    const header = findHeader(head);
    if (header === undefined || !hasColumns(header, columns)) return undefined;
    const close = header.folded.findIndex((name) => name === 'close' || name === 'close/last');
    const [first = []] = head.rows.slice(header.skipRows);
    if (!cellAt(first, close).trim().startsWith('$')) return undefined;
    return {
      type: 'reading',
      reading: {
        layout: 'nasdaq',
        skipRows: header.skipRows,
        header: header.cells,
        date: columnOf(header, 'date'),
        naming: 'us',
        gapsAllowed: false,
        usualDate: 'MM/DD/YYYY',
        usualDecimal: '.',
        series: [
          {
            ticker: { type: 'file' },
            close,
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
