import { columnOf, findHeader, hasColumns } from './headings.ts';
import type { Layout } from './layout.ts';

/**
 * The daily files of CryptoDataDownload: a comment line before the header, symbols such as
 * `BTCUSD`, and two volumes. `volume_btc` counts coins and is the nominal volume. `volume` (or
 * `Volume USD`) is the amount of money.
 */
export const cryptoDataDownload: Layout = {
  recognise(head) {
    const header = findHeader(head);
    const columns = ['date', 'symbol', 'open', 'high', 'low', 'close'];
    if (header === undefined || !hasColumns(header, columns)) return undefined;
    const volume = header.folded.findIndex((name) => /^volume[ _](?!usd)[a-z]+$/.test(name));
    if (volume < 0) return undefined;
    return {
      type: 'reading',
      reading: {
        layout: 'crypto-data-download',
        skipRows: header.skipRows,
        header: header.cells,
        date: columnOf(header, 'date'),
        naming: 'bare',
        gapsAllowed: false,
        usualDate: 'YYYY-MM-DD',
        usualDecimal: '.',
        series: [
          {
            ticker: { type: 'column', index: columnOf(header, 'symbol') },
            close: columnOf(header, 'close'),
            open: columnOf(header, 'open'),
            high: columnOf(header, 'high'),
            low: columnOf(header, 'low'),
            volume,
          },
        ],
      },
    };
  },
};
