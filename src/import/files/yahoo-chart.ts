import { asRecord, fieldsOf } from '../../feeds/shapes/as-record.ts';
import { shortestOf32Bits } from '../../lib/numbers/shortest-of-32-bits.ts';
import { isTimeZone } from '../cells/day-of.ts';
import type { Row } from '../cells/table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { cellOf } from '../cells/json-cell.ts';

const prices = ['open', 'high', 'low', 'close'] as const;

/** The header of the rows of a chart. */
const header: Row = ['symbol', 'currency', 'date', ...prices, 'volume'];

/**
 * The daily bars of a chart of Yahoo Finance (`/v8/finance/chart/SYMBOL`). The instant of a bar is that of
 * the open, so its day is that of the exchange. The source computes prices in 32 bits: the shortest decimal
 * of each is read.
 *
 * @throws {ImportRefusal} `not-prices` when the document has no daily bars.
 */
export function yahooChartRows(body: unknown): readonly Row[] {
  const { result, error } = fieldsOf(asRecord(body)?.['chart']);
  const { description } = fieldsOf(error);
  if (typeof description === 'string') {
    throw new ImportRefusal('not-prices', `the chart is an error of its source: ${description}`);
  }
  const charts = listOf(result);
  if (charts.length === 0) throw new ImportRefusal('not-prices', 'the chart has no result');
  return [header, ...charts.flatMap(rowsOfChart)];
}

function rowsOfChart(chart: unknown): readonly Row[] {
  const { meta, timestamp, indicators } = fieldsOf(chart);
  const { symbol, currency, dataGranularity } = fieldsOf(meta);
  if (typeof symbol !== 'string') {
    throw new ImportRefusal('not-prices', 'the chart does not name its symbol');
  }
  if (typeof dataGranularity === 'string' && dataGranularity !== '1d') {
    const message = `the chart has bars of ${dataGranularity}, not daily ones; request it with interval=1d`;
    throw new ImportRefusal('not-prices', message);
  }
  const zone = zoneOf(fieldsOf(meta));
  const fields = fieldsOf(listOf(fieldsOf(indicators)['quote'])[0]);
  const values = prices.map((name) => listOf(fields[name]).map(shortestOf32Bits));
  const volumes = listOf(fields['volume']);
  return listOf(timestamp).map((seconds, index) => [
    symbol,
    cellOf(currency),
    dateOf(seconds, zone),
    ...values.map((list) => cellOf(list[index])),
    cellOf(volumes[index]),
  ]);
}

function zoneOf({ exchangeTimezoneName: name }: Readonly<Record<string, unknown>>): string {
  if (typeof name === 'string' && isTimeZone(name)) return name;
  const message = 'the chart does not name the time zone of its exchange (exchangeTimezoneName)';
  throw new ImportRefusal('not-prices', message);
}

/** The date of a bar; empty for an instant that does not exist. */
function dateOf(seconds: unknown, zone: string): string {
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) return '';
  const instant = Math.abs(seconds) > secondsMax ? undefined : seconds * 1_000;
  if (instant === undefined) return '';
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  return local.toPlainDate().toString();
}

/** The first instant of the year 2100. */
const secondsMax = Date.UTC(2100, 0, 1) / 1_000;

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
