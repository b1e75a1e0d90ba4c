import { isDate, isEpochCell } from '../cells/date-format.ts';
import { isNumber } from '../cells/number-format.ts';
import {
  findHeader,
  isOfOneInstrument,
  meaningsOf,
  namedIn,
  type Header,
  type Meaning,
} from './headings.ts';
import {
  groupedSeries,
  readingUnder,
  type ColumnName,
  type Layout,
  type SeriesColumns,
} from './layout.ts';

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
  recognise(head, { tickerColumn, dates } = {}) {
    // Rows that name their instrument are not a matrix.
    if (tickerColumn !== undefined) return undefined;
    const header = findHeader(head, dates);
    if (header === undefined) return undefined;
    const date = namedIn(header, dates) ?? 0;
    const found = meaningsOf(header);
    const first = head.rows[header.skipRows]?.[date] ?? '';
    const isNamed =
      found[date] === 'date' || header.cells[date]?.trim() === '' || dates !== undefined;
    if (!isDate(first) && !(isNamed && isEpochCell(first))) return undefined;
    if (isOfOneInstrument(found) || found.some((one) => isPrice.has(one))) return undefined;
    const hasNumbers = head.rows
      .slice(header.skipRows)
      .some((row) => row.some((cell, at) => at !== date && isNumber(cell)));
    if (!hasNumbers) return undefined;
    const series = header.cells.some((heading) => field.test(heading))
      ? fieldSeries(header)
      : columnSeries(header, date);
    if (series.length === 0) return undefined;
    return readingUnder(header, {
      layout: 'wide',
      date,
      naming: 'bare',
      gapsAllowed: true,
      series,
    });
  },
};

function columnSeries({ cells }: Header, date: number): readonly SeriesColumns[] {
  return cells.flatMap((text, close) =>
    close === date || text.trim() === ''
      ? []
      : [{ ticker: { type: 'heading', text }, close } as const],
  );
}

function fieldSeries(header: Header): readonly SeriesColumns[] {
  return groupedSeries(
    header.cells.map((heading) => {
      const [, text = '', name = ''] = field.exec(heading) ?? [];
      return [text, name.toLowerCase() as ColumnName];
    }),
  );
}
