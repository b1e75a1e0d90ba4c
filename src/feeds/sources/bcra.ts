import { fromEpochDay, type PlainDate, utcDayOf } from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { indexDefinitions, indexNames } from '../../domain/indices/index-name.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { Pause } from '../../lib/time/pause.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { mapEach, FeedFault, reject, type FeedMessage, type Rejected } from '../contract/feed.ts';
import type { IndexSource } from '../contract/history-source.ts';
import { dailyHistory } from '../net/daily-history.ts';
import { createJsonReader } from '../net/fetch-limited.ts';
import { polledType, type PolledSourceConfig, type PollRequest } from '../net/polled-feed.ts';
import { readJson } from '../net/read-body.ts';
import { asRecord, fieldsOf, isPrice } from '../shapes/as-record.ts';
import { indexBatch } from '../shapes/index-batch.ts';
import { publishedAt, publishedDate, type PublishedContext } from '../shapes/published-at.ts';

/** The latest values of a series, newest first. The source refuses a lower limit. */
const latestRows = 10;

/** The indices of the central bank, each since it begins, with the days to come that are published. */
export function createBcraIndices(
  { name, url: base }: { readonly name: string; readonly url: string },
  {
    clock,
    fetchLimits,
    network,
    pause,
  }: Pick<FeedDeps, 'clock' | 'fetchLimits' | 'network' | 'pause'>,
): IndexSource {
  const readJsonOf = createJsonReader({ clock, limits: fetchLimits, network });
  return {
    name,
    indices: indexNames,
    spacingMs: bcraSpacingMs,
    async fetch({ index, from, to }, signal) {
      // The day of Buenos Aires is at most a day before that of UTC, where it matters little.
      const today = fromEpochDay(utcDayOf(clock.now()));
      const { values, rejected } = await readAllPages(
        // Prices have also fallen in some months.
        { ...monetary(indexDefinitions[index].bcraVariable), isValue: Number.isFinite },
        {
          base,
          from,
          // The source refuses a date to come, but without a date it gives the days to come.
          to: to !== undefined && to < today ? to : undefined,
          pause,
          signal,
          read: (url) => readJsonOf({ url }, signal),
        },
      );
      const batch = indexBatch(index, values, today);
      return { values: batch.values, rejected: [...rejected, ...batch.rejected] };
    },
  };
}

/** The time from one request to the next, in milliseconds. The source publishes no limit. */
const bcraSpacingMs = 1_000;

/** More pages than the longest series has. The daily series begin in 1996. */
const pagesMax = 40;

/** The rows of a range of days, from all of its pages. */
type SeriesRows = Pick<SeriesPart, 'values' | 'rejected'>;

/**
 * Reads a range of a series page by page. If one page fails, the whole range fails, because a part of it would
 * look complete.
 *
 * @throws FeedFault
 */
async function readAllPages(
  series: BcraSeries,
  request: {
    readonly base: string;
    readonly from: PlainDate;
    /** Undefined: up to the last day that the source has. It refuses a date to come with status 400. */
    readonly to: PlainDate | undefined;
    readonly pause: Pause;
    readonly signal: AbortSignal;
    readonly read: (url: URL) => Promise<unknown>;
  },
): Promise<SeriesRows> {
  const { base, pause, signal, read } = request;
  const values: SeriesPart['values'][number][] = [];
  const rejected: Rejected[] = [];
  for (let page = 0, offset = 0; page < pagesMax; page += 1) {
    if (page > 0) await pause(bcraSpacingMs, signal);
    const url = new URL(series.path, base);
    url.searchParams.set(series.from, request.from);
    if (request.to !== undefined) url.searchParams.set(series.to, request.to);
    url.searchParams.set('limit', String(series.rowsMax));
    url.searchParams.set('offset', String(offset));
    const part = readSeries(await read(url), series);
    values.push(...part.values);
    rejected.push(...part.rejected);
    offset += part.rows;
    const isLast = part.count === undefined ? part.rows < series.rowsMax : offset >= part.count;
    if (isLast || part.rows === 0) return { values, rejected };
  }
  throw new FeedFault('unintelligible', `${series.path} has more pages than its series can have`);
}

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

const allSeries: Readonly<Record<string, BcraSeries>> = {
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
function monetary(id: number): BcraSeries {
  return {
    path: `/estadisticas/v4.0/Monetarias/${id}`,
    from: 'desde',
    to: 'hasta',
    rowsMax: 3_000,
    rowsOf: (results) => monetaryRows(results, id),
  };
}

/** The tickers of which the central bank has a series. */
export const bcraTickers = Object.keys(allSeries);

/** The series of an instrument. Undefined where the source has none. */
export function seriesOf(ticker: string): BcraSeries | undefined {
  return Object.hasOwn(allSeries, ticker) ? allSeries[ticker] : undefined;
}

/** A part of a series. */
interface SeriesPart {
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
export function readSeries(
  body: unknown,
  { path, rowsOf, isValue = isPrice }: BcraSeries,
): SeriesPart {
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
    else if (!isValue(row.value)) rejected.push(reject('no-price', row));
    else values.push({ date, value: row.value as number });
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
): FeedMessage {
  if (rows === 0) throw new FeedFault('unintelligible', 'the central bank sent an empty series');
  const dated = mapEach(
    values,
    (one): { readonly at: number; readonly value: number } | Rejected => {
      const at = publishedAt(one.date, { calendar, latestAt: snapshotAt });
      return at === undefined ? reject('bad-instant', one, ticker) : { at, value: one.value };
    },
  );
  const [latest, before] = dated.taken.toSorted((a, b) => b.at - a.at);
  const update: Update | undefined = latest && {
    ticker,
    at: latest.at,
    last: latest.value,
    ...(before === undefined ? {} : { previousClose: before.value }),
  };
  return {
    updates: update === undefined ? [] : [update],
    rejected: [...rejected, ...dated.rejected],
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

function seriesRequest(
  ticker: Ticker,
  { config, deps: { universe } }: { readonly config: PolledSourceConfig; readonly deps: FeedDeps },
): readonly PollRequest[] {
  const series = seriesOf(ticker);
  if (series === undefined) return [];
  const url = new URL(series.path, config.url);
  url.searchParams.set('limit', String(latestRows));
  const calendar = new SessionCalendar(universe.marketOf(universe.get(ticker)));
  return [
    {
      request: () => ({ url }),
      map: ({ snapshotAt, ...body }) => {
        const part = readSeries(readJson(body), series);
        return { ...mapLatest(part, { ticker, calendar, snapshotAt }), rows: part.rows };
      },
    },
  ];
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
  offers: bcraTickers,
  requests: (instruments, config, deps) =>
    instruments.flatMap(({ ticker }) => seriesRequest(ticker, { config, deps })),
  // Of each series since it begins.
  createHistory: dailyHistory({
    offers: bcraTickers,
    spacingMs: bcraSpacingMs,
    async bars(
      { ticker, from, to, calendar, now, signal, read },
      config: PolledSourceConfig,
      deps,
    ) {
      const series = seriesOf(ticker);
      if (series === undefined) return undefined;
      const today = calendar.dateAt(now);
      if (from > today) return { bars: [] };
      const { values, rejected } = await readAllPages(series, {
        base: config.url,
        from,
        to: to < today ? to : today,
        pause: deps.pause,
        signal,
        read,
      });
      return { bars: values.map(({ date, value }) => ({ date, close: value })), rejected };
    },
  }),
  createIndices: createBcraIndices,
});
