import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import {
  FeedFault,
  mapEach,
  messageOf,
  reject,
  type FeedMessage,
  type Rejected,
} from '../contract/feed.ts';
import { type SentBar, dailyHistory } from '../net/daily-history.ts';
import { dailyIndices, type SentValue } from '../net/daily-indices.ts';
import { polledType, type PolledSourceConfig } from '../net/polled-feed.ts';
import { requireList } from '../net/read-body.ts';
import { asRecord, fieldsOf, isPrice } from '../shapes/as-record.ts';
import { publishedAt, publishedDate, type PublishedContext } from '../shapes/published-at.ts';

/** The instrument of which the source has the latest value. */
const countryRisk = 'RIESGO PAIS';

/** The path of the latest country risk. */
const latestPath = '/v1/finanzas/indices/riesgo-pais/ultimo';

/** Where the series of an instrument is, and which field of a row is its close. */
interface Series {
  readonly path: string;
  readonly field: 'compra' | 'venta' | 'valor';
}

const allSeries: ReadonlyMap<string, Series> = new Map([
  ['DOLAR OFICIAL', house('oficial')],
  ['DOLAR OFICIAL COMPRA', house('oficial', 'compra')],
  ['DOLAR OFICIAL VENTA', house('oficial')],
  ['DOLAR MAYORISTA', house('mayorista')],
  ['DOLAR TARJETA', house('tarjeta')],
  ['DOLAR BLUE', house('blue')],
  ['DOLAR BLUE COMPRA', house('blue', 'compra')],
  ['DOLAR BLUE VENTA', house('blue')],
  ['DOLAR MEP', house('bolsa')],
  ['DOLAR CCL', house('contadoconliqui')],
  ['DOLAR CRIPTO', house('cripto')],
  [countryRisk, { path: '/v1/finanzas/indices/riesgo-pais', field: 'valor' }],
]);

function house(name: string, field: 'compra' | 'venta' = 'venta'): Series {
  return { path: `/v1/cotizaciones/dolares/${name}`, field };
}

/** The tickers of which the source has the history. */
export const historyTickers = [...allSeries.keys()];

/**
 * Maps the latest country risk to an update.
 *
 * @throws FeedFault when the body is another document.
 */
export function mapLatest(
  body: unknown,
  { ticker, calendar, snapshotAt }: PublishedContext,
): FeedMessage {
  const row = asRecord(body);
  if (row === undefined || !('valor' in row) || !('fecha' in row)) {
    throw new FeedFault('unintelligible', 'the source sent no country risk');
  }
  const { fecha, valor } = row;
  const at = publishedAt(publishedDate(fecha), { calendar, latestAt: snapshotAt });
  if (at === undefined) return messageOf([reject('bad-instant', row, ticker)]);
  return messageOf([
    isPrice(valor) ? { ticker, at, last: valor } : reject('no-price', row, ticker),
  ]);
}

/**
 * Maps the rows of a series to bars. The source repeats the value of the last business day at weekends
 * and on holidays; these rows are no closes.
 */
function mapSeries(
  rows: readonly unknown[],
  { field, calendar }: { readonly field: Series['field']; readonly calendar: SessionCalendar },
): { readonly bars: readonly SentBar[]; readonly rejected: readonly Rejected[] } {
  const { taken: bars, rejected } = mapEach(rows, (row): SentBar | Rejected => {
    const fields = asRecord(row);
    const date = publishedDate(fields?.['fecha']);
    if (fields === undefined || date === undefined) return reject('unintelligible', row);
    if (!calendar.isSession(date)) return reject('not-traded', row);
    return isCrossed(fields) ? reject('crossed', row) : { date, close: fields[field] };
  });
  return { bars, rejected };
}

function isCrossed({ compra, venta }: Readonly<Record<string, unknown>>): boolean {
  return isPrice(compra) && isPrice(venta) && compra > venta;
}

/** The path of the inflation of each month. A response is the whole series. */
const inflationPath = '/v1/finanzas/indices/inflacion';

/** The country risk of argentinadatos.com, the daily history of it and of the dollars, and the consumer prices. */
export const argentinadatosType = polledType({
  type: 'argentinadatos',
  staleAfterSeconds: 14_400,
  url: 'https://api.argentinadatos.com',
  // The documents are published a few times a day.
  pollSeconds: { usual: 3_600, min: 300 },
  closedPollSeconds: 14_400,
  delayMinutes: 0,
  offers: [countryRisk],
  requests: (instruments, config, { universe }) =>
    instruments.map((instrument) => {
      const calendar = new SessionCalendar(universe.marketOf(instrument));
      return {
        request: () => ({ url: new URL(latestPath, config.url) }),
        map: ({ json, snapshotAt }) =>
          mapLatest(json(), { ticker: instrument.ticker, calendar, snapshotAt }),
      };
    }),
  // A response is always the whole series. The source publishes no limit.
  createHistory: dailyHistory({
    offers: historyTickers,
    spacingMs: 1_000,
    async bars({ ticker, calendar, read }, config: PolledSourceConfig) {
      const series = allSeries.get(ticker);
      if (series === undefined) return undefined;
      const rows = requireList(await read(new URL(series.path, config.url)));
      return mapSeries(rows, { field: series.field, calendar });
    },
  }),
  // The index of consumer prices. The source copies it from the central bank.
  createIndices: dailyIndices({
    indices: ['IPC'],
    spacingMs: 1_000,
    async values({ read }, { url }: PolledSourceConfig) {
      const rows = requireList(await read(new URL(inflationPath, url)));
      const { taken: values, rejected } = mapEach(rows, (row): SentValue | Rejected => {
        const { fecha, valor } = fieldsOf(row);
        const date = publishedDate(fecha);
        if (date === undefined) return reject('bad-instant', row);
        return typeof valor === 'number' ? { date, value: valor } : reject('no-price', row);
      });
      return { values, rejected };
    },
  }),
});
