import { healthy, type Responder, type Upgrader } from '../support/http/source-server.ts';

/** Friday, 20 November 2026, 15:00 in Buenos Aires and 13:00 in New York: every market is open. */
export const openAt = Date.parse('2026-11-20T18:00:00Z');

/** The day after, a Saturday. */
export const closedAt = openAt + 86_400_000;

/** The text of a stream of server-sent events. */
interface ServerEvents {
  readonly text: string;
}

/** One healthy source of a type, with made-up values. */
export interface CheckSample {
  /** The fields of the configuration besides `name`, `type`, `url` and the keys. The bodies have all its instruments. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Whether it needs a key and a password, or a key alone. */
  readonly hasAccount?: true | 'key';
  /** The bodies by path. */
  readonly bodies?: Readonly<Record<string, unknown>>;
  /** The messages of a WebSocket. */
  readonly messages?: readonly unknown[];
  /** How old the newest row is, in seconds. Undefined where the rows are not dated. */
  readonly newestRowSeconds?: number;
  readonly rows: number;
  readonly understood: number;
}

const seconds = openAt / 1_000;
const include = (...tickers: string[]) => ({ instruments: { include: tickers } });

/** A row of BYMA, 21 minutes old. */
const security = {
  settlementType: '2',
  denominationCcy: 'ARS',
  trade: 7_150.5,
  openingPrice: 7_100,
  tradingHighPrice: 7_200,
  tradingLowPrice: 7_050,
  previousClosingPrice: 7_080,
  volume: 1_000,
  volumeAmount: 7_150_500,
  numberOfOrders: 10,
  tradeHour: '14:39:00',
};

const byma = '/vanoms-be-core/rest/api/bymadata/free';

const yahooChart = {
  meta: {
    currency: 'USD',
    symbol: 'AAPL',
    gmtoffset: -18_000,
    regularMarketTime: seconds - 900,
    regularMarketPrice: 212.25,
    regularMarketVolume: 5_000,
  },
  timestamp: [seconds - 900],
  indicators: {
    quote: [{ open: [210.5], high: [213], low: [209], close: [212.25], volume: [5_000] }],
  },
};

/** A stream of events with one quote. */
function eventOf(quote: object): ServerEvents {
  return { text: `event: cotizacion\nid: 7\ndata: ${JSON.stringify(quote)}\n\n` };
}

/** A healthy source of every type that connects to one. */
const checkSamples: Readonly<Record<string, CheckSample>> = {
  alpaca: {
    config: include('AAPL_US'),
    hasAccount: true,
    messages: [
      [{ T: 'success', msg: 'connected' }],
      [
        {
          T: 't',
          i: 1,
          S: 'AAPL',
          x: 'V',
          p: 212.5,
          s: 100,
          c: ['@'],
          z: 'C',
          t: '2026-11-20T17:59:50Z',
        },
      ],
    ],
    newestRowSeconds: 10,
    rows: 1,
    understood: 1,
  },
  argentinadatos: {
    config: {},
    bodies: {
      '/v1/finanzas/indices/riesgo-pais/ultimo': { fecha: '2026-11-20', valor: 645 },
    },
    rows: 1,
    understood: 1,
  },
  bcra: {
    config: include('RESERVAS BCRA'),
    bodies: {
      '/estadisticas/v4.0/Monetarias/1': {
        status: 200,
        metadata: { resultset: { count: 2 } },
        results: [
          {
            idVariable: 1,
            detalle: [
              { fecha: '2026-11-19', valor: 41_250 },
              { fecha: '2026-11-18', valor: 41_180 },
            ],
          },
        ],
      },
    },
    rows: 2,
    understood: 2,
  },
  binance: {
    config: include('BTC'),
    messages: [
      {
        data: {
          e: '24hrTicker',
          E: openAt - 2_000,
          s: 'BTCUSDT',
          c: '91250.50',
          L: 7,
          b: '91250',
          B: '1',
          a: '91251',
          A: '2',
        },
      },
    ],
    newestRowSeconds: 2,
    rows: 1,
    understood: 1,
  },
  byma: {
    config: include('GGAL'),
    bodies: {
      [`${byma}/leading-equity`]: { data: [{ symbol: 'GGAL', ...security }] },
      [`${byma}/general-equity`]: { data: [{ symbol: 'OTRA', ...security }] },
    },
    newestRowSeconds: 1_260,
    rows: 2,
    understood: 1,
  },
  cnbc: {
    config: include('AAPL_US'),
    bodies: {
      '/quote-html-webservice/restQuote/symbolType/symbol': {
        FormattedQuoteResult: {
          FormattedQuote: [
            {
              symbol: 'AAPL',
              code: 0,
              last: '212.25',
              last_time: '2026-11-20T12:59:50.000-0500',
              open: '210.50',
              currencyCode: 'USD',
              countryCode: 'US',
              realTime: 'true',
              volume: '5,000',
            },
          ],
        },
      },
    },
    newestRowSeconds: 10,
    rows: 1,
    understood: 1,
  },
  criptoya: {
    config: include('DOLAR CRIPTO'),
    bodies: {
      '/api/dolar': { cripto: { usdt: { ask: 1_510, bid: 1_495, timestamp: seconds - 60 } } },
    },
    newestRowSeconds: 60,
    rows: 1,
    understood: 1,
  },
  data912: {
    config: include('GGAL'),
    bodies: {
      '/live/arg_stocks': [
        {
          symbol: 'GGAL',
          c: 7_150.5,
          v: 1_000,
          q_op: 10,
          px_bid: 7_150,
          q_bid: 5,
          px_ask: 7_151,
          q_ask: 9,
        },
        { symbol: 'OTRA', c: 10, v: 1, q_op: 1 },
        { symbol: 'GGAL', c: 'n/a', v: 1, q_op: 1 },
      ],
    },
    rows: 3,
    understood: 1,
  },
  dolarapi: {
    config: include('DOLAR BLUE VENTA', 'DOLAR BLUE COMPRA'),
    bodies: {
      '/v1/dolares': [
        {
          moneda: 'USD',
          casa: 'blue',
          compra: 1_540,
          venta: 1_560,
          fechaActualizacion: '2026-11-20T17:59:00.000Z',
        },
        {
          moneda: 'USD',
          casa: 'solidario',
          compra: 1,
          venta: 2,
          fechaActualizacion: '2026-11-20T17:59:00.000Z',
        },
      ],
    },
    newestRowSeconds: 60,
    rows: 2,
    understood: 1,
  },
  http: {
    config: {
      ...include('YPFD'),
      expression: '{"ticker": ticker, "last": precio, "at": $snapshotAt}',
      key: { file: 'key.txt' },
      keyHeader: 'X-Api-Key',
    },
    bodies: { '/precios': [{ ticker: 'YPFD', precio: 48_350 }] },
    rows: 1,
    understood: 1,
  },
  kraken: {
    config: include('BTC'),
    messages: [
      { channel: 'status', data: [{ system: 'online' }] },
      {
        channel: 'trade',
        data: [{ symbol: 'BTC/USD', price: 91_250.5, timestamp: '2026-11-20T17:59:55.5Z' }],
      },
    ],
    newestRowSeconds: 5,
    rows: 1,
    understood: 1,
  },
  pizarra: {
    config: include('GGAL'),
    hasAccount: 'key',
    bodies: {
      '/healthz': { estado: 'ok', instancia: 'a', datos: 'reales' },
      '/especies.json': [{ especie: 'GGAL', fuente: 'byma', demoraMinutos: 20 }],
      '/cotizaciones/stream': eventOf({
        especie: 'GGAL',
        fecha: '2026-11-20',
        hora: '14:39:00',
        ultimo: 7_150.5,
        variacion: null,
        varMTD: null,
        varYTD: null,
        volumen: 1_000,
        instante: '2026-11-20T14:39:00-03:00',
      }),
    },
    newestRowSeconds: 1_260,
    rows: 1,
    understood: 1,
  },
  primary: {
    config: include('GGAL'),
    hasAccount: true,
    messages: [
      {
        type: 'Md',
        timestamp: openAt - 1_000,
        instrumentId: { marketId: 'ROFX', symbol: 'MERV - XMEV - GGAL - 24hs' },
        marketData: { LA: { price: 7_150.5, size: 10, date: openAt - 30_000 } },
      },
    ],
    newestRowSeconds: 30,
    rows: 1,
    understood: 1,
  },
  yahoo: {
    config: include('AAPL_US'),
    bodies: {
      '/v7/finance/spark': {
        spark: { result: [{ symbol: 'AAPL', response: [yahooChart] }], error: null },
      },
      // The open of the session.
      '/v8/finance/chart/AAPL': { chart: { result: [yahooChart], error: null } },
    },
    newestRowSeconds: 900,
    rows: 2,
    understood: 2,
  },
};

/** The types that have a sample. */
export const sampleTypes: readonly string[] = Object.keys(checkSamples);

export function sampleOf(type: string): CheckSample {
  const sample = checkSamples[type];
  if (sample === undefined) throw new Error(`there is no sample of ${type}`);
  return sample;
}

/** Whether a type connects over a WebSocket. */
export function isSocket(type: string): boolean {
  return sampleOf(type).messages !== undefined;
}

/** Answers as a healthy source of a type. */
export function answerAs(type: string): Responder {
  const { bodies = {} } = sampleOf(type);
  return healthy(({ url }) => {
    const [path = ''] = url.split('?');
    if (path === '/auth/getToken')
      return { body: '', headers: { 'x-auth-token': 'token-8f21c07a' } };
    if (path.endsWith('/stream')) {
      const { text } = bodies[path] as ServerEvents;
      return { body: text, headers: { 'content-type': 'text/event-stream' } };
    }
    return Object.hasOwn(bodies, path) ? { body: JSON.stringify(bodies[path]) } : undefined;
  });
}

/** Sends the messages of a healthy source, after the client has subscribed. */
export function streamAs(type: string): Upgrader {
  const { messages = [] } = sampleOf(type);
  return (_, __, accept) =>
    accept((socket) => {
      const send = (): void => {
        for (const one of messages) socket.send(JSON.stringify(one));
      };
      if (type === 'binance') send();
      else socket.once('message', send);
    });
}
