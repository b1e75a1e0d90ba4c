import type { Layout } from './layout.ts';

const day = /^\d{8} \d{2}:\d{2}$/;

/**
 * The daily equity files of QuantConnect's Lean: no header, `YYYYMMDD HH:MM,open,high,low,close,
 * volume`, unadjusted prices times ten thousand. Only its US equities have this format.
 */
export const lean: Layout = {
  recognise(head) {
    const fits = head.rows.filter((row) => row.length > 1);
    const all = fits.every(
      (row) => row.length === 6 && day.test(row[0] ?? '') && row.slice(1).every(isInteger),
    );
    if (!all || fits.length === 0) return undefined;
    return {
      type: 'reading',
      reading: {
        layout: 'lean',
        skipRows: 0,
        header: [],
        date: 0,
        naming: 'us',
        gapsAllowed: false,
        usualDate: 'YYYYMMDD',
        usualDecimal: '.',
        currency: 'USD',
        scale: 10_000,
        series: [{ ticker: { type: 'file' }, open: 1, high: 2, low: 3, close: 4, volume: 5 }],
      },
    };
  },
};

function isInteger(cell: string): boolean {
  return /^\d+$/.test(cell);
}
