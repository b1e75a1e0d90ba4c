import type { SourceResponse } from '../../support/http/source-server.ts';
import { priceAt, tradedAt, tradesAt } from './recording.ts';
import { dateAt, delayMs, minuteMs, opensAt, timeOfDay } from './timetable.ts';

/** The response of a source at an instant, by path. */
const responses: Readonly<Record<string, (now: number) => unknown>> = {
  '/prices.json': (now) => ({ rows: [{ s: 'GGAL', p: priceAt('GGAL', now), t: tradeTime(now) }] }),
  '/prices.csv': (now) => `especie;ultimo;hora\nYPFD;${priceAt('YPFD', now)};${tradeTime(now)}\n`,
  '/v1/dolares': (now) => [
    {
      moneda: 'USD',
      casa: 'blue',
      compra: priceAt('DOLAR BLUE COMPRA', now),
      venta: priceAt('DOLAR BLUE VENTA', now),
      fechaActualizacion: tradeTime(now),
    },
  ],
  '/api/dolar': (now) => {
    const ask = priceAt('DOLAR CRIPTO', now);
    return { cripto: { usdt: { ask, bid: ask - 1, timestamp: seconds(now) } } };
  },
  '/api/BTC/ARS/0.1': (now) => {
    const last = priceAt('BTC/ARS', now);
    const quote = { ask: last, bid: last, time: seconds(now) };
    return { a: quote, b: quote, c: quote };
  },
  '/live/arg_stocks': (now) => [
    { symbol: 'PAMP', c: priceAt('PAMP', now), v: tradesAt(now) * 10, q_op: tradesAt(now) },
  ],
  '/v1/finanzas/indices/riesgo-pais/ultimo': (now) => ({
    valor: priceAt('RIESGO PAIS', now),
    fecha: dateAt(tradedAt(now)),
  }),
  '/estadisticas/v4.0/Monetarias/5': (now) => {
    const yesterday = tradedAt(opensAt - 1);
    const instants = tradedAt(now) < opensAt ? [yesterday] : [now, yesterday];
    const detalle = instants.map((at) => ({
      fecha: dateAt(tradedAt(at)),
      valor: priceAt('DOLAR A3500', at),
    }));
    return { status: 200, results: [{ idVariable: 5, detalle }] };
  },
  ...panel('index-price', (now) => {
    // Before a session all values are 0.
    const price = now < opensAt ? 0 : priceAt('MERVAL', now);
    return { data: [{ symbol: 'M', price, highValue: 0, minValue: 0 }] };
  }),
  ...panel('cauciones', (now) => [
    {
      ...panelRow('PESOS-2711-U-CT-ARS', now),
      daysToMaturity: 7,
      // A fraction of few decimals, as the source sends it.
      trade: now < opensAt ? 0 : Number((priceAt('CAUCION 7D', now) / 100).toFixed(4)),
    },
  ]),
  ...panel('leading-equity', (now) => {
    const trade = now < opensAt ? 0 : priceAt('BBAR', now);
    const data = [{ ...panelRow('BBAR', now), settlementType: '2', trade }];
    return { content: { total_elements_count: data.length }, data };
  }),
  '/quote-html-webservice/restQuote/symbolType/symbol': (now) => {
    const quote = {
      symbol: 'KO',
      code: 0,
      last: priceAt('KO_US', now).toLocaleString('en-US', { minimumFractionDigits: 2 }),
      last_time: new Date(tradedAt(now)).toISOString().replace('Z', '+0000'),
      currencyCode: 'USD',
      countryCode: 'US',
      realTime: 'true',
      volume: (tradesAt(now) + 1).toLocaleString('en-US'),
    };
    return { FormattedQuoteResult: { FormattedQuote: [quote] } };
  },
  '/pizarra/healthz': () => ({ estado: 'ok', instancia: 'soak', datos: 'reales' }),
  '/pizarra/especies.json': () => [{ especie: 'SUPV', fuente: 'byma', demoraMinutos: 0 }],
  '/v7/finance/spark': (now) => ({
    spark: { result: [{ symbol: 'TXAR.BA', response: [chartAt(now)] }], error: null },
  }),
  '/v8/finance/chart/TXAR.BA': (now) => ({ chart: { result: [chartAt(now)], error: null } }),
};

function chartAt(now: number): object {
  const at = now - delayMs;
  const meta = {
    symbol: 'TXAR.BA',
    currency: 'ARS',
    gmtoffset: -10_800,
    regularMarketTime: seconds(tradedAt(at)),
    regularMarketPrice: priceAt('TXAR', at),
    regularMarketVolume: (tradesAt(at) + 1) * 10,
  };
  return { meta, timestamp: [], indicators: {} };
}

/** The response of a source at an instant. Undefined for a path that no source has. */
export function responseAt(path: string, now: number): SourceResponse | undefined {
  // The login of the source `primary` has no body.
  if (path === '/auth/getToken') return { body: '', headers: { 'x-auth-token': 'token' } };
  const value = responses[path]?.(now);
  if (value === undefined) return undefined;
  return { body: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** A panel of BYMA Open Data, which is delayed. */
function panel(name: string, at: (now: number) => unknown): typeof responses {
  return { [`/vanoms-be-core/rest/api/bymadata/free/${name}`]: (now) => at(now - delayMs) };
}

/** What the rows of a panel have besides the price. Before a session all numbers are 0. */
function panelRow(symbol: string, now: number): Readonly<Record<string, unknown>> {
  const trades = now < opensAt ? 0 : tradesAt(now) + 1;
  const tradeHour = timeOfDay(tradedAt(now));
  return { symbol, denominationCcy: 'ARS', tradeHour, volume: trades * 10, numberOfOrders: trades };
}

/** The event of a stream at an instant, by path: the whole quote, with the range of its session so far. */
export function streamedAt(path: string, now: number): string | undefined {
  if (path !== '/pizarra/cotizaciones/stream') return undefined;
  const at = tradedAt(now);
  const prices = [priceAt('SUPV', at)];
  for (let earlier = at; earlier > opensAt; earlier -= minuteMs) {
    prices.push(priceAt('SUPV', earlier - minuteMs));
  }
  const quote = {
    especie: 'SUPV',
    fecha: dateAt(at),
    ultimo: prices[0],
    apertura: prices.at(-1),
    maximo: Math.max(...prices),
    minimo: Math.min(...prices),
    variacion: null,
    varMTD: null,
    varYTD: null,
    volumen: tradesAt(now) * 10,
    fuente: 'byma',
    instante: tradeTime(now),
  };
  return `event: cotizacion\nid: ${seconds(at)}\ndata: ${JSON.stringify(quote)}\n\n`;
}

function tradeTime(now: number): string {
  return new Date(tradedAt(now)).toISOString();
}

function seconds(epochMs: number): number {
  return Math.floor(epochMs / 1_000);
}
