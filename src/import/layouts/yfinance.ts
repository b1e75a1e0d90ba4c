import { foldHeading } from './headings.ts';
import type { CellRow } from '../cells/table.ts';
import { groupedSeries, readingUnder, type ColumnName, type Layout } from './layout.ts';

const adjusted = 'adj close';

/** The fields of a download, in the words of the library. `null`: not read. */
const fields: Readonly<Record<string, ColumnName | null>> = {
  open: 'open',
  high: 'high',
  low: 'low',
  close: 'close',
  volume: 'volume',
  [adjusted]: null,
  dividends: 'dividend',
  'stock splits': 'split',
  'capital gains': null,
};

const dateNames = new Set(['date', 'datetime']);

/**
 * The tables of `yfinance.download(…).to_csv()`: three rows of headings. Two of them have, in either
 * order, the field and the symbol of each column (`Price,Close,Close,…` and `Ticker,AAPL,GGAL.BA,…`), and
 * the third has only the name of the dates. `Close` is read and `Adj Close` is not (contract 2.2.1). Without an
 * `Adj Close`, the library has subtracted the dividends from `Close` (`auto_adjust`, its default).
 */
export const yfinance: Layout = {
  recognise({ rows: [first = [], second = [], third = []] }) {
    const [index = '', ...rest] = third.map(foldHeading);
    if (!dateNames.has(index) || rest.some((cell) => cell !== '')) return undefined;
    const isFieldFirst = areFields(first);
    if (first.length < 2 || second.length !== first.length || isFieldFirst === areFields(second)) {
      return undefined;
    }
    const [names, symbols] = isFieldFirst ? [first, second] : [second, first];
    const series = groupedSeries(
      names.map((name, at) => [
        symbols[at]?.trim() ?? '',
        at === 0 ? undefined : (fields[foldHeading(name)] ?? undefined),
      ]),
    );
    if (series.length === 0) return undefined;
    return readingUnder(
      { skipRows: 3, cells: names },
      {
        layout: 'yfinance',
        date: 0,
        naming: 'yahoo-symbol',
        // A day without a trade of one symbol is an empty cell in a table of several.
        gapsAllowed: series.length > 1,
        usualDate: 'YYYY-MM-DD',
        usualDecimal: '.',
        isAdjusted: !names.some((name) => foldHeading(name) === adjusted),
        series,
      },
    );
  },
};

function areFields([, ...names]: CellRow): boolean {
  return names.every((name) => Object.hasOwn(fields, foldHeading(name)));
}
