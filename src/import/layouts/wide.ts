import { findHeader, isOfOneInstrument, looksLikeDate, meaningsOf } from './headings.ts';
import type { Header, Meaning } from './headings.ts';
import type { Row } from '../cells/table.ts';
import type { Layout, SeriesColumns } from './layout.ts';

const field = /^(.+):(open|high|low|close|volume)$/i;

/**
 * The meanings that prove that the columns are the values of one instrument. `LOW` or `MAX` alone
 * do not prove it, because they are also tickers.
 */
const isPrice: ReadonlySet<Meaning | undefined> = new Set<Meaning>([
  'close',
  'price',
  'adjusted',
  'side',
  'ticker',
]);

/**
 * A matrix: the date, then one column of closes per instrument (`Days,ALUA,BBAR,…`) or five columns
 * per instrument (`BTC:open,BTC:high,…`). An empty cell means that there is no close on that day.
 */
export const wide: Layout = {
  recognise(head) {
    const header = findHeader(head);
    if (header === undefined || head.type === 'json') return undefined;
    const [, ...headings] = header.cells;
    if (!looksLikeDate(head.rows[header.skipRows]?.[0]) || headings.length === 0) return undefined;
    const found = meaningsOf(header);
    if (isOfOneInstrument(found) || found.some((one) => isPrice.has(one))) return undefined;
    const hasNumbers = head.rows
      .slice(header.skipRows)
      .some(([, ...cells]) => cells.some((cell) => /^\s*[-+$]?\d[\d.,]*\s*$/.test(cell)));
    if (!hasNumbers) return undefined;
    const series = headings.some((heading) => field.test(heading))
      ? fieldSeries(header)
      : columnSeries(headings);
    if (series.length === 0) return undefined;
    return {
      type: 'reading',
      reading: {
        layout: 'wide',
        skipRows: header.skipRows,
        header: header.cells,
        date: 0,
        naming: 'bare',
        gapsAllowed: true,
        series,
      },
    };
  },
};

function columnSeries(headings: Row): readonly SeriesColumns[] {
  return headings.flatMap((text, at) =>
    text.trim() === '' ? [] : [{ ticker: { type: 'heading', text }, close: at + 1 } as const],
  );
}

function fieldSeries(header: Header): readonly SeriesColumns[] {
  const byTicker = new Map<string, Record<string, number>>();
  for (const [index, heading] of header.cells.entries()) {
    const [, ticker = '', name = ''] = field.exec(heading) ?? [];
    const columns = byTicker.get(ticker) ?? {};
    columns[name.toLowerCase()] = index;
    byTicker.set(ticker, columns);
  }
  return [...byTicker].flatMap(([text, { close, ...others }]) =>
    close === undefined ? [] : [{ ticker: { type: 'heading', text }, close, ...others } as const],
  );
}
