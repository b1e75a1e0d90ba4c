import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { asRecord, fieldsOf, isPrice } from '../shapes/as-record.ts';
import { FeedFault, type FeedBatch, type Rejected } from '../contract/feed.ts';
import { publishedAt, publishedDate, type PublishedContext } from '../shapes/published-at.ts';
import { reject } from '../contract/sample.ts';

/** One of the series of the central bank. */
export interface BcraSeries {
  readonly path: string;
  /** The names of the query parameters. The two services differ. */
  readonly from: string;
  readonly to: string;
  /** The maximum number of rows of a response. */
  readonly rowsMax: number;
  /** The rows of `results`: a day and its value. Undefined for another document. */
  readonly rowsOf: (results: readonly unknown[]) => readonly Row[] | undefined;
}

interface Row {
  readonly fecha: unknown;
  readonly value: unknown;
}

const series: Readonly<Record<string, BcraSeries>> = {
  'RESERVAS BCRA': monetary(1),
  'DOLAR A3500': monetary(5),
  'DOLAR/EURO': {
    path: '/estadisticascambiarias/v1.0/Cotizaciones/EUR',
    from: 'fechadesde',
    to: 'fechahasta',
    rowsMax: 1_000,
    rowsOf: currencyRows,
  },
};

/** A series of the monetary statistics, by its number. */
export function monetary(id: number): BcraSeries {
  return {
    path: `/estadisticas/v4.0/Monetarias/${id}`,
    from: 'desde',
    to: 'hasta',
    rowsMax: 3_000,
    rowsOf: (results) => monetaryRows(results, id),
  };
}

/** The tickers of which the central bank has a series. */
export const bcraTickers = Object.keys(series);

/** The series of an instrument. Undefined where the source has none. */
export function seriesOf(ticker: string): BcraSeries | undefined {
  return Object.hasOwn(series, ticker) ? series[ticker] : undefined;
}

/** A part of a series. */
export interface SeriesPart {
  /** Newest first, as sent. */
  readonly values: readonly { readonly date: PlainDate; readonly value: number }[];
  readonly rejected: readonly Rejected[];
  /** The number of rows that were sent. */
  readonly rows: number;
  /** The number of rows of the whole range. Undefined where the source does not say. */
  readonly count: number | undefined;
}

/**
 * Reads a response with a part of a series. It may be empty.
 *
 * @throws FeedFault when the body is another document.
 */
export function readSeries(body: unknown, { path, rowsOf }: BcraSeries): SeriesPart {
  const { status, results, metadata } = fieldsOf(body);
  const rows = status === 200 && Array.isArray(results) ? rowsOf(results) : undefined;
  if (rows === undefined) {
    throw new FeedFault('unintelligible', `${path} holds no series of the central bank`);
  }
  const count = asRecord(asRecord(metadata)?.['resultset'])?.['count'];
  const values: SeriesPart['values'][number][] = [];
  const rejected: Rejected[] = [];
  for (const row of rows) {
    const date = publishedDate(row.fecha);
    if (date === undefined) rejected.push(reject('bad-instant', row));
    else if (!isPrice(row.value)) rejected.push(reject('no-price', row));
    else values.push({ date, value: row.value });
  }
  return {
    values,
    rejected,
    rows: rows.length,
    count: typeof count === 'number' ? count : undefined,
  };
}

/**
 * The update that the latest value of a series gives. The value before it is the previous close.
 *
 * @throws FeedFault when the response has no row: every series has values.
 */
export function mapLatest(
  { values, rejected, rows }: SeriesPart,
  { ticker, calendar, snapshotAt }: PublishedContext,
): Omit<FeedBatch, 'failed'> {
  if (rows === 0) throw new FeedFault('unintelligible', 'the central bank sent an empty series');
  const dated = values.flatMap(({ date, value }) => {
    const at = publishedAt(date, { calendar, latestAt: snapshotAt });
    return at === undefined ? [] : [{ at, value }];
  });
  const outOfTime = values
    .filter(({ date }) => publishedAt(date, { calendar, latestAt: snapshotAt }) === undefined)
    .map((one) => reject('bad-instant', one, ticker));
  const [latest, before] = dated.toSorted((a, b) => b.at - a.at);
  const update: Update | undefined = latest && {
    ticker,
    at: latest.at,
    last: latest.value,
    ...(before === undefined ? {} : { previousClose: before.value }),
  };
  return {
    updates: update === undefined ? [] : [update],
    rejected: [...rejected, ...outOfTime],
  };
}

/** `results` of the monetary statistics: one item, with the number of the series and its rows. */
function monetaryRows(results: readonly unknown[], id: number): readonly Row[] | undefined {
  if (results.length === 0) return [];
  const { idVariable, detalle } = fieldsOf(results[0]);
  if (idVariable !== id || !Array.isArray(detalle)) return undefined;
  return detalle.map((row: unknown) => {
    const { fecha, valor } = fieldsOf(row);
    return { fecha, value: valor };
  });
}

/** `results` of the exchange rates: one item a day, with the rates of the currency. */
function currencyRows(results: readonly unknown[]): readonly Row[] | undefined {
  const rows = results.map((result) => {
    const { fecha, detalle } = fieldsOf(result);
    if (!Array.isArray(detalle)) return undefined;
    const rates = detalle.map((rate: unknown) => asRecord(rate));
    // `tipoPase` is the price of one euro in dollars.
    return { fecha, value: rates.find((rate) => rate?.['codigoMoneda'] === 'EUR')?.['tipoPase'] };
  });
  return rows.some((row) => row === undefined)
    ? undefined
    : rows.filter((row) => row !== undefined);
}
