import { forms, type Row } from './rows.ts';
import { sketchOf, tickersOf, type SourceName, type TradedTicker } from './true-market.ts';

/** A request of a source: which instruments it asks for, and how the rows are put into a body. */
interface Endpoint {
  readonly source: SourceName;
  readonly tickers: readonly TradedTicker[];
  readonly write: (rows: readonly Row[]) => unknown;
}

const byma = '/vanoms-be-core/rest/api/bymadata/free';

const ofKind = (source: SourceName, kind: string): readonly TradedTicker[] =>
  tickersOf(source).filter((ticker) => sketchOf(ticker).kind === kind);

const listed = (source: 'data912' | 'byma') => (rows: readonly Row[]) =>
  rows.map(forms[source].write);

/** A panel of other instruments. */
const others = { symbol: 'OTHER', settlementType: '2', trade: 1, volume: 1 };

const endpoints: Readonly<Record<string, Endpoint>> = {
  '/live/arg_stocks': panel('data912', 'share', listed('data912')),
  '/live/arg_bonds': panel('data912', 'bond', listed('data912')),
  '/live/arg_notes': { source: 'data912', tickers: [], write: () => [{ symbol: 'OTHER', c: 1 }] },
  [`${byma}/leading-equity`]: panel('byma', 'share', (rows) => ({
    content: { total_elements_count: rows.length },
    data: listed('byma')(rows),
  })),
  [`${byma}/general-equity`]: { source: 'byma', tickers: [], write: () => [others] },
  [`${byma}/public-bonds`]: panel('byma', 'bond', listed('byma')),
  [`${byma}/lebacs`]: { source: 'byma', tickers: [], write: () => [others] },
  [`${byma}/index-price`]: panel('byma', 'index', (rows) => ({
    data: rows.map(({ last, high, low, previousClose, isOfSession }) => ({
      symbol: 'M',
      price: isOfSession ? last : 0,
      highValue: isOfSession ? high : 0,
      minValue: isOfSession ? low : 0,
      previousClosingPrice: previousClose ?? 0,
    })),
  })),
  '/v1/dolares': panel('dolarapi', 'exchange-rate', (rows) => {
    const [bid, ask] = rows;
    const venta = ask && forms.dolarapi.write(ask);
    return [{ moneda: 'USD', casa: 'blue', compra: bid?.last, ...venta }];
  }),
};

function panel(source: SourceName, kind: string, write: Endpoint['write']): Endpoint {
  return { source, tickers: ofKind(source, kind), write };
}

const chartPath = /^\/v8\/finance\/chart\/(.+)\.BA$/;

/** What a request asks for. Undefined for a path that no source has. */
export function endpointOf(url: string): Endpoint | undefined {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const known = tickersOf('yahoo');
  if (pathname === '/v7/finance/spark') {
    const asked = new Set(searchParams.get('symbols')?.split(','));
    const tickers = known.filter((ticker) => asked.has(`${ticker}.BA`));
    return { source: 'yahoo', tickers, write: writeSpark };
  }
  const symbol = chartPath.exec(pathname)?.[1];
  if (symbol === undefined) return endpoints[pathname];
  return {
    source: 'yahoo',
    tickers: known.filter((ticker) => ticker === symbol),
    write: writeChart,
  };
}

function writeChart(rows: readonly Row[]): object {
  return { chart: { result: rows.map(forms.yahoo.write), error: null } };
}

function writeSpark(rows: readonly Row[]): object {
  const result = rows.map((row) => ({
    symbol: `${row.ticker}.BA`,
    response: [forms.yahoo.write(row)],
  }));
  return { spark: { result, error: null } };
}
