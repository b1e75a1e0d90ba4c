import { asRecord, fieldsOf } from '../../feeds/shapes/as-record.ts';
import type { Row } from '../cells/table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { cellOf } from '../cells/json-cell.ts';

/** The series of daily prices, of a share and of a cryptocurrency. */
const dailySeries: ReadonlySet<string> = new Set([
  'Time Series (Daily)',
  'Time Series (Digital Currency Daily)',
]);

/**
 * The daily prices of a response of Alpha Vantage: an object of days, each with fields such as
 * `4. close`. Of a cryptocurrency in two currencies, the fields of the first are read.
 *
 * @throws {ImportRefusal} `not-prices` when the document has no daily series.
 */
export function alphaVantageRows(body: unknown): readonly Row[] {
  const document = fieldsOf(body);
  const symbol = symbolIn(fieldsOf(document['Meta Data']));
  const [name = 'no series', ...others] = Object.keys(document).filter(
    (key) => key !== 'Meta Data',
  );
  const series = asRecord(document[name]);
  if (!dailySeries.has(name) || others.length > 0 || series === undefined) {
    const message = `the document has "${name}", not "${[...dailySeries].join('" or "')}"`;
    throw new ImportRefusal('not-prices', message);
  }
  const columns = new Map([
    ['symbol', 0],
    ['date', 1],
  ]);
  const rows = Object.entries(series).map(([date, values]) => {
    const row = [symbol, date];
    const seen = new Set<string>();
    for (const [key, value] of Object.entries(fieldsOf(values))) {
      const field = key.replace(/^\d+[a-z]?\.\s*/i, '').replace(/\s*\([^)]*\)$/, '');
      if (seen.has(field)) continue;
      seen.add(field);
      const column = columns.get(field) ?? columns.size;
      columns.set(field, column);
      while (row.length < column) row.push('');
      row[column] = cellOf(value);
    }
    return row;
  });
  return [[...columns.keys()], ...rows];
}

/** The symbol of a share, or the pair of a cryptocurrency and its currency. */
function symbolIn(meta: Readonly<Record<string, unknown>>): string {
  const named = (ending: string) =>
    cellOf(Object.entries(meta).find(([key]) => key.endsWith(`. ${ending}`))?.[1]);
  const code = named('Digital Currency Code');
  return code === '' ? named('Symbol') : `${code}/${named('Market Code')}`;
}
