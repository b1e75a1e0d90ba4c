import { columnOf, findHeader, hasColumns } from './headings.ts';
import type { Layout, Naming } from './layout.ts';

/** The layouts of the tables that are made from documents. Their headings are those of `document-table.ts`. */
export const documentLayout: Layout = {
  recognise(head) {
    const { document } = head;
    const header = findHeader(head);
    if (document === undefined || header === undefined) return undefined;
    if (!hasColumns(header, ['symbol', 'date', 'close'])) return undefined;
    const optional = (name: 'open' | 'high' | 'low' | 'volume') =>
      header.folded.includes(name) ? { [name]: columnOf(header, name) } : {};
    const symbol = head.rows[header.skipRows]?.[columnOf(header, 'symbol')] ?? '';
    return {
      type: 'reading',
      reading: {
        layout: document,
        skipRows: header.skipRows,
        header: header.cells,
        date: columnOf(header, 'date'),
        naming: document === 'yahoo-chart' ? 'yahoo-symbol' : namingOf(symbol),
        gapsAllowed: false,
        usualDate: 'YYYY-MM-DD',
        usualDecimal: '.',
        series: [
          {
            ticker: { type: 'column', index: columnOf(header, 'symbol') },
            close: columnOf(header, 'close'),
            ...optional('open'),
            ...optional('high'),
            ...optional('low'),
            ...optional('volume'),
          },
        ],
        unused: header.cells.filter((name) => !used.has(name)),
      },
    };
  },
};

const used: ReadonlySet<string> = new Set([
  'symbol',
  'currency',
  'date',
  'open',
  'high',
  'low',
  'close',
  'volume',
]);

/** Alpha Vantage has US shares by their own symbols, and pairs of cryptocurrencies. */
function namingOf(symbol: string): Naming {
  return symbol.includes('/') ? 'bare' : 'us';
}
