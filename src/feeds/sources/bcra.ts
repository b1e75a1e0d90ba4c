import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { indexDefinitions, indexNames } from '../../domain/indices/index-name.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { mapEach, FeedFault, reject, type FeedMessage, type Rejected } from '../contract/feed.ts';
import { dailyHistory } from '../net/daily-history.ts';
import { dailyIndices, type SentValue } from '../net/daily-indices.ts';
import { polledType, type PolledSourceConfig, type PollRequest } from '../net/polled-feed.ts';
import { asRecord, fieldsOf, isPrice, listOf } from '../shapes/as-record.ts';
import { publishedAt, publishedDate, type PublishedContext } from '../shapes/published-at.ts';

/** The latest values of a series, newest first. The source refuses a lower limit. */
const latestRows = 10;

/** The time from one request to the next, in milliseconds. The source publishes no limit. */
const spacingMs = 1_000;

/** More pages than the longest series has. The daily series begin in 1996. */
const pagesMax = 40;

/** One of the series of the central bank. */
export interface BcraSeries {
  readonly path: string;
  /** The names of the query parameters. The two services differ. */
  readonly from: string;
  readonly to: string;
  /** The maximum number of rows of a response. */
  readonly rowsMax: number;
  /** Whether a row may have a value. By default it is above zero. */
  readonly isValue?: (value: unknown) => boolean;
  /** The rows of `results`: a day and its value. Undefined for another document. */
  readonly rowsOf: (results: readonly unknown[]) => readonly Row[] | undefined;
}

interface Row {
  readonly fecha: unknown;
  readonly value: unknown;
}

/** The series of the instruments, by ticker. */
export const bcraSeries: ReadonlyMap<string, BcraSeries> = new Map([
  ['RESERVAS BCRA', monetary(1)],
  ['DOLAR A3500', monetary(5)],
  [
    'DOLAR/EURO',
    {
      path: '/estadisticascambiarias/v1.0/Cotizaciones/EUR',
      from: 'fechadesde',
      to: 'fechahasta',
      rowsMax: 1_000,
      rowsOf: currencyRows,
    },
  ],
]);

/** A series of the monetary statistics, by its number. */
function monetary(id: number): BcraSeries {
  return {
    path: `/estadisticas/v4.0/Monetarias/${id}`,
    from: 'desde',
    to: 'hasta',
    rowsMax: 3_000,
    rowsOf: (results) => monetaryRows(results, id),
  };
}

/** `results` of the monetary statistics: one item, with the number of the series and its rows. */
function monetaryRows(results: readonly unknown[], id: number): readonly Row[] | undefined {
  if (results.length === 0) return [];
  const { idVariable, detalle } = fieldsOf(results[0]);
  if (idVariable !== id || !Array.isArray(detalle)) return undefined;
  return detalle.map(fieldsOf).map(({ fecha, valor }) => ({ fecha, value: valor }));
}

/** `results` of the exchange rates: one item a day, with the rates of the currency. */
function currencyRows(results: readonly unknown[]): readonly Row[] | undefined {
  const days = results.map(fieldsOf);
  if (!days.every(({ detalle }) => Array.isArray(detalle))) return undefined;
  return days.map(({ fecha, detalle }) => {
    const euro = listOf(detalle)
      .map(fieldsOf)
      .find((rate) => rate['codigoMoneda'] === 'EUR');
    // `tipoPase` is the price of one euro in dollars.
    return { fecha, value: euro?.['tipoPase'] };
  });
}

/**
 * Reads a response with a part of a series, newest first as sent. It may be empty.
 *
 * @returns with `rows`, the number of rows that were sent, and `count`, that of the whole range, where the source says it.
 * @throws FeedFault when the body is another document.
 */
export function readSeries(body: unknown, { path, rowsOf, isValue = isPrice }: BcraSeries) {
  const { status, results, metadata } = fieldsOf(body);
  const rows = status === 200 && Array.isArray(results) ? rowsOf(results) : undefined;
  if (rows === undefined) {
    throw new FeedFault('unintelligible', `${path} holds no series of the central bank`);
  }
  const { taken: values, rejected } = mapEach(rows, (row): SentValue | Rejected => {
    const date = publishedDate(row.fecha);
    if (date === undefined) return reject('bad-instant', row);
    return isValue(row.value) ? { date, value: row.value as number } : reject('no-price', row);
  });
  const { count } = fieldsOf(asRecord(metadata)?.['resultset']);
  const counted = typeof count === 'number' ? count : undefined;
  return { values, rejected, rows: rows.length, count: counted };
}

/**
 * The update that the latest value of a series gives. The value before it is the previous close.
 *
 * @throws FeedFault when the response has no row: every series has values.
 */
export function mapLatest(
  { values, rejected, rows }: ReturnType<typeof readSeries>,
  { ticker, calendar, snapshotAt }: PublishedContext,
): FeedMessage {
  if (rows === 0) throw new FeedFault('unintelligible', 'the central bank sent an empty series');
  const dated = mapEach(values, ({ date, value }) => {
    const at = publishedAt(date, { calendar, latestAt: snapshotAt });
    return at === undefined ? reject('bad-instant', { date, value }, ticker) : { at, value };
  });
  const [latest, before] = dated.taken.toSorted((a, b) => b.at - a.at);
  const previous = before && { previousClose: before.value };
  return {
    updates: latest ? [{ ticker, at: latest.at, last: latest.value, ...previous }] : [],
    rejected: [...rejected, ...dated.rejected],
    rows,
  };
}

/** A range of days of a series, and how its pages are read. */
interface PagesRequest {
  readonly url: string;
  readonly from: PlainDate;
  /** When undefined, up to the last day that the source has. The source answers a future date with status 400. */
  readonly to: PlainDate | undefined;
  readonly signal: AbortSignal;
  readonly read: (url: URL) => Promise<unknown>;
}

/**
 * Reads a range of a series page by page. If one page fails, the whole range fails, because a part of it would
 * look complete.
 *
 * @throws FeedFault
 */
async function readAllPages(
  series: BcraSeries,
  { url: base, from, to, signal, read }: PagesRequest,
  { pause }: Pick<FeedDeps, 'pause'>,
) {
  const values: SentValue[] = [];
  const rejected: Rejected[] = [];
  const url = new URL(series.path, base);
  url.searchParams.set(series.from, from);
  if (to !== undefined) url.searchParams.set(series.to, to);
  url.searchParams.set('limit', String(series.rowsMax));
  for (let page = 0, offset = 0; page < pagesMax; page += 1) {
    if (page > 0) await pause(spacingMs, signal);
    url.searchParams.set('offset', String(offset));
    const { rows, count, ...part } = readSeries(await read(url), series);
    values.push(...part.values);
    rejected.push(...part.rejected);
    offset += rows;
    const isLast = count === undefined ? rows < series.rowsMax : offset >= count;
    if (isLast || rows === 0) return { values, rejected };
  }
  throw new FeedFault('unintelligible', `${series.path} has more pages than its series can have`);
}

/** Reserves, reference dollar and euro of the central bank of Argentina, with their history, and its indices. */
export const bcraType = polledType({
  type: 'bcra',
  staleAfterSeconds: 10_800,
  url: 'https://api.bcra.gob.ar',
  // Each series has at most one new value a day.
  pollSeconds: { usual: 1_800, min: 300 },
  closedPollSeconds: 3_600,
  spacingMs: 500,
  delayMinutes: 0,
  offers: [...bcraSeries.keys()],
  requests: (instruments, config, { universe }) =>
    instruments.flatMap((instrument): readonly PollRequest[] => {
      const { ticker } = instrument;
      const series = bcraSeries.get(ticker);
      if (series === undefined) return [];
      const url = new URL(`${series.path}?limit=${latestRows}`, config.url);
      const calendar = new SessionCalendar(universe.marketOf(instrument));
      const map: PollRequest['map'] = ({ json, snapshotAt }) =>
        mapLatest(readSeries(json(), series), { ticker, calendar, snapshotAt });
      return [{ request: () => ({ url }), map }];
    }),
  // Each series has values from its first day on.
  createHistory: dailyHistory({
    offers: [...bcraSeries.keys()],
    spacingMs,
    async bars(request, { url }: PolledSourceConfig, deps) {
      const { ticker, from, to, calendar, now, signal, read } = request;
      const series = bcraSeries.get(ticker);
      if (series === undefined) return undefined;
      const today = calendar.dateAt(now);
      if (from > today) return { bars: [] };
      const range = { from, to: to < today ? to : today };
      const { values, rejected } = await readAllPages(
        series,
        { url, ...range, signal, read },
        deps,
      );
      return { bars: values.map(({ date, value }) => ({ date, close: value })), rejected };
    },
  }),
  // Each index has values from its first day on, published values of future days included.
  createIndices: dailyIndices({
    indices: indexNames,
    spacingMs,
    values({ index, from, to, today, signal, read }, { url }: PolledSourceConfig, deps) {
      // A change of consumer prices may be negative.
      const series = {
        ...monetary(indexDefinitions[index].bcraVariable),
        isValue: Number.isFinite,
      };
      // Only without an end date does the source send values of future days.
      const last = to !== undefined && to < today ? to : undefined;
      return readAllPages(series, { url, from, to: last, signal, read }, deps);
    },
  }),
});
