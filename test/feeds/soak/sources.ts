import { alpacaType } from '../../../src/feeds/sources/alpaca.ts';
import { argentinadatosType } from '../../../src/feeds/sources/argentinadatos.ts';
import { bcraType } from '../../../src/feeds/sources/bcra.ts';
import { binanceType } from '../../../src/feeds/sources/binance.ts';
import { bymaType } from '../../../src/feeds/sources/byma.ts';
import { cnbcType } from '../../../src/feeds/sources/cnbc.ts';
import { criptoyaType } from '../../../src/feeds/sources/criptoya.ts';
import { data912Type } from '../../../src/feeds/sources/data912.ts';
import { dolarapiType } from '../../../src/feeds/sources/dolarapi.ts';
import type { FeedDeps, FeedType } from '../../../src/feeds/contract/feed-type.ts';
import type { Feed } from '../../../src/feeds/contract/feed.ts';
import { httpType } from '../../../src/feeds/http/index.ts';
import { krakenType } from '../../../src/feeds/sources/kraken.ts';
import { pizarraType } from '../../../src/feeds/pizarra/index.ts';
import { primaryType } from '../../../src/feeds/sources/primary.ts';
import { yahooType } from '../../../src/feeds/sources/yahoo.ts';
import type { SourceServer } from '../../support/http/source-server.ts';
import { createFeed } from '../sources/source-suite.ts';
import { universe, type RecordedTicker } from './recording.ts';
import { startsAt } from './timetable.ts';

/** A source of the soak, in the order of the configuration. */
interface SoakedSource {
  readonly type: FeedType;
  readonly tickers: readonly RecordedTicker[];
  /** The path of the URL in the configuration, where it matters. */
  readonly path?: string;
  readonly isSocket?: boolean;
  readonly config?: Readonly<Record<string, unknown>>;
}

const account = { key: { env: 'SOURCE_KEY' }, secret: { env: 'SOURCE_SECRET' } };

/** The sources of the soak. */
export const soakedSources: readonly SoakedSource[] = [
  {
    type: httpType,
    tickers: ['GGAL'],
    path: '/prices.json',
    config: { expression: 'rows.{ "ticker": s, "last": p, "at": t }' },
  },
  {
    type: httpType,
    tickers: ['YPFD'],
    path: '/prices.csv',
    config: {
      format: 'csv',
      expression: '$.{ "ticker": especie, "last": ultimo, "at": hora }',
    },
  },
  {
    type: dolarapiType,
    tickers: ['DOLAR BLUE COMPRA', 'DOLAR BLUE VENTA'],
    config: { pollSeconds: 60 },
  },
  { type: criptoyaType, tickers: ['DOLAR CRIPTO', 'BTC/ARS'], config: { pollSeconds: 60 } },
  { type: data912Type, tickers: ['PAMP'] },
  { type: argentinadatosType, tickers: ['RIESGO PAIS'], config: { pollSeconds: 600 } },
  { type: bcraType, tickers: ['DOLAR A3500'], config: { pollSeconds: 300 } },
  {
    type: bymaType,
    tickers: ['MERVAL', 'CAUCION 7D', 'BBAR'],
    config: { pollSeconds: 120 },
  },
  { type: cnbcType, tickers: ['KO_US'], config: { pollSeconds: 60 } },
  { type: yahooType, tickers: ['TXAR'] },
  { type: binanceType, tickers: ['BTC'], isSocket: true },
  { type: krakenType, tickers: ['BTC', 'ETH'], path: '/kraken', isSocket: true },
  {
    type: alpacaType,
    tickers: ['AAPL_US'],
    path: '/alpaca',
    isSocket: true,
    config: account,
  },
  { type: primaryType, tickers: ['AL30'], path: '/primary', isSocket: true, config: account },
  { type: pizarraType, tickers: ['SUPV'], path: '/pizarra', config: { key: account.key } },
];

/** The feeds of all sources. */
export function createFeeds(server: SourceServer, deps: Partial<FeedDeps>): readonly Feed[] {
  return soakedSources.map(({ type, tickers, path = '', isSocket = false, config }, index) => {
    const url = (isSocket ? server.socketUrl : server.url) + path;
    const name = `${type.type}-${index}`;
    const all = { ...config, name, instruments: { include: tickers } };
    return createFeed({ type, universe, now: startsAt, config: all }, url, deps);
  });
}
