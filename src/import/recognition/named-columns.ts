import { optionText } from '../refusals/advice.ts';
import { cellAt } from '../cells/table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { foldHeading } from '../layouts/headings.ts';
import type { NamedColumns } from '../refusals/import-options.ts';
import type { Reading, SeriesColumns } from '../layouts/layout.ts';
import { noColumn } from './with-column.ts';

/**
 * The same reading, with the dates and the tickers in the columns that the operator named.
 *
 * @throws {ImportRefusal} `option-mismatch` when no column, or more than one, has that name, or when the layout
 *   names its instruments itself.
 */
export function withNamedColumns(reading: Reading, { dates, tickerColumn }: NamedColumns): Reading {
  const date = dates === undefined ? reading.date : indexOf(dates, reading);
  if (tickerColumn === undefined) return { ...reading, date };
  const index = indexOf(tickerColumn, reading);
  const series = reading.series.map((one) => namedBy(index, one, reading));
  return { ...reading, date, series };
}

function namedBy(index: number, series: SeriesColumns, { layout, header }: Reading): SeriesColumns {
  const column = cellAt(header, index);
  const { type } = series.ticker;
  if (type === 'row' || type === 'heading') {
    throw new ImportRefusal(
      'option-mismatch',
      `${optionText('tickerColumn', column)} does not fit: the layout ${layout} names its instruments itself`,
      { advice: { kind: 'leave-out-ticker-column', suggestions: [{ tickerColumn: null }] } },
    );
  }
  return { ...series, ticker: { type: 'column', index } };
}

function indexOf(name: string, reading: Reading): number {
  const folded = foldHeading(name);
  const places = reading.header.flatMap((heading, index) =>
    foldHeading(heading) === folded ? [index] : [],
  );
  const [index] = places;
  if (index === undefined || places.length > 1) throw noColumn(name, places.length, reading);
  return index;
}
