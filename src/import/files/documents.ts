import { asRecord, fieldsOf, listOf } from '../../feeds/shapes/as-record.ts';
import { barsOfChart } from '../../feeds/shapes/chart-bars.ts';
import { isTimeZone } from '../../lib/time/time-zone.ts';
import { cellOf, type CellRow } from '../cells/table.ts';
import type { DocumentName } from '../layouts/layout.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { shapedRows } from './json-shapes.ts';
import { startingWith } from './streams.ts';
import { JsonKeys, jsonRowCharsMax, jsonRows, parseJson } from './json.ts';

/** The documents of JSON that are no list of rows, by the key with which each begins. */
const documents: Readonly<
  Record<
    DocumentName,
    { readonly key: string; readonly rowsOf: (body: unknown) => readonly CellRow[] }
  >
> = {
  'yahoo-chart': { key: 'chart', rowsOf: yahooChartRows },
  'alpha-vantage': { key: 'Meta Data', rowsOf: alphaVantageRows },
};

/** Maximum length of a document, in characters. One of 40 years has about one million. */
const documentCharsMax = 16_777_216;

/** The document that begins with this text, or undefined. */
export function documentIn(start: string): DocumentName | undefined {
  const [, key] = /^\s*\{\s*"([^"\\]{1,40})"\s*:/.exec(start) ?? [];
  const names = Object.keys(documents) as DocumentName[];
  return names.find((name) => documents[name].key === key);
}

/** The beginning of an array of flat objects, alone or in an object under a name that is no symbol. */
const startsWithRow = /^\s*(?:\{[^{}[\]]*"(?![A-Z\d.:/-]+")[^"]*"\s*:\s*)?\[\s*\{[^{}[\]]*\}/;

/**
 * The rows of a JSON document, with a header first. An array of flat objects is read row by row, whatever its
 * length. Another document is in memory as a whole, up to {@link documentCharsMax}. A longer one, or one with a
 * longer member than a row may be, is read as an array of rows if it is none of {@link documents}.
 *
 * @throws {ImportRefusal} `too-large`, and `not-prices` when one of {@link documents} has no daily prices.
 */
export async function* anyJsonRows(
  start: string,
  texts: AsyncIterable<string>,
  limits: Parameters<typeof jsonRows>[1],
): AsyncGenerator<readonly CellRow[]> {
  const document = documentIn(start);
  if (document === undefined && startsWithRow.test(start)) {
    yield* jsonRows(texts, limits);
    return;
  }
  const all = texts[Symbol.asyncIterator]();
  let [text, charsOfMember, isWhole] = ['', 0, false];
  const isTooLong = () =>
    text.length > documentCharsMax || (document === undefined && charsOfMember > jsonRowCharsMax);
  while (!isWhole && !isTooLong()) {
    const next = await all.next();
    isWhole = next.done === true;
    const part: string = next.done === true ? '' : next.value;
    text += part;
    const comma = part.lastIndexOf(',');
    charsOfMember = comma < 0 ? charsOfMember + part.length : part.length - comma;
  }
  if (document !== undefined) {
    if (isWhole) yield documents[document].rowsOf(parseJson(text));
    else {
      const message = `the document has more than ${documentCharsMax} characters; request fewer years`;
      throw new ImportRefusal('too-large', message);
    }
    return;
  }
  const rows = isWhole ? shapedRows(parseJson(text)) : undefined;
  if (rows === undefined) yield* jsonRows(startingWith([text], all), limits);
  else yield rows;
}

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
function alphaVantageRows(body: unknown): readonly CellRow[] {
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
  const keys = new JsonKeys();
  const rows = Object.entries(series).map(([date, values]) => {
    const fields = new Map<string, unknown>(Object.entries({ symbol, date }));
    for (const [key, value] of Object.entries(fieldsOf(values))) {
      const field = key.replace(/^\d+[a-z]?\.\s*/i, '').replace(/\s*\([^)]*\)$/, '');
      fields.getOrInsert(field, value);
    }
    return keys.rowOf(Object.fromEntries(fields));
  });
  return [keys.header, ...rows];
}

/** The symbol of a share, or the pair of a cryptocurrency and its currency. */
function symbolIn(meta: Readonly<Record<string, unknown>>): string {
  const named = (ending: string) =>
    cellOf(Object.entries(meta).find(([key]) => key.endsWith(`. ${ending}`))?.[1]);
  const code = named('Digital Currency Code');
  return code === '' ? named('Symbol') : `${code}/${named('Market Code')}`;
}

const values = ['open', 'high', 'low', 'close', 'volume'] as const;

/** The header of the rows of a chart. */
const header: CellRow = ['symbol', 'currency', 'date', ...values];

/**
 * The daily bars of a chart of Yahoo Finance (`/v8/finance/chart/SYMBOL`). The instant of a bar is that of
 * the open, so its day is that of the exchange.
 *
 * @throws {ImportRefusal} `not-prices` when the document has no daily bars.
 */
function yahooChartRows(body: unknown): readonly CellRow[] {
  const { result, error } = fieldsOf(asRecord(body)?.['chart']);
  const { description } = fieldsOf(error);
  if (typeof description === 'string') {
    throw new ImportRefusal('not-prices', `the chart is an error of its source: ${description}`);
  }
  const charts = listOf(result);
  if (charts.length === 0) throw new ImportRefusal('not-prices', 'the chart has no result');
  return [header, ...charts.flatMap(rowsOfChart)];
}

function rowsOfChart(chart: unknown): readonly CellRow[] {
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
  return barsOfChart(timestamp, indicators).map((bar) => [
    symbol,
    cellOf(currency),
    dateOf(bar.time, zone),
    ...values.map((name) => cellOf(bar[name])),
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
  if (Math.abs(seconds) > secondsMax) return '';
  const instant = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
  return instant.toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** The first instant of the year 2100. */
const secondsMax = Date.UTC(2100, 0, 1) / 1_000;
