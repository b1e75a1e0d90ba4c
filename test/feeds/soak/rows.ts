import { delayMs, opensAt, timeOfDay } from './timetable.ts';
import { sketchOf, type SourceName, type TradedTicker, type TrueMarket } from './true-market.ts';

/** The prices of a row that can slip. */
export const priceFields = ['last', 'open', 'high', 'low', 'previousClose'] as const;
export type PriceField = (typeof priceFields)[number];

/** What a source says about an instrument, before it is written in the form of the source. */
export interface Row extends Partial<Readonly<Record<PriceField, number>>> {
  readonly ticker: TradedTicker;
  /** The instant of the price as the service reads it. */
  readonly at: number;
  readonly volume: number;
  readonly trades: number;
  /** Whether the row is of the session. Otherwise it is of the one before, or empty. */
  readonly isOfSession: boolean;
}

/** The session before, of which only the close matters to the others. */
export function sessionBefore(close: number): {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
} {
  const rounded = (factor: number): number => Math.round(close * factor * 100) / 100;
  return { open: rounded(0.99), high: rounded(1.02), low: rounded(0.98), volume: 5_000 };
}

/** What a source says about an instrument at an instant. */
export function rowOf(
  source: SourceName,
  ticker: TradedTicker,
  { market, now }: { readonly market: TrueMarket; readonly now: number },
): Row {
  const knownUntil = isLate(source) ? now - delayMs : now;
  // These two give the instant of the snapshot instead of that of the trade.
  const isUndated = source === 'data912' || sketchOf(ticker).kind === 'index';
  const trade = market.isFrozen(ticker, now) ? undefined : market.tradeAt(ticker, knownUntil);
  const { previous } = market.closesOf(ticker);
  if (trade === undefined) {
    const { volume, ...range } = sessionBefore(previous);
    const isRepeated = source === 'yahoo' && market.isFrozen(ticker, now) && knownUntil >= opensAt;
    return {
      ticker,
      at: isRepeated ? Math.floor(knownUntil / 1_000) * 1_000 : opensAt - 18 * 3_600_000,
      last: previous,
      ...range,
      volume: isRepeated ? volume : 0,
      trades: 0,
      isOfSession: false,
    };
  }
  const { at, price, open, high, low, volume, count } = trade;
  return {
    ticker,
    at: isUndated ? knownUntil : at,
    last: price,
    open,
    high,
    low,
    previousClose: previous,
    volume,
    trades: count,
    isOfSession: true,
  };
}

function isLate(source: SourceName): boolean {
  return source === 'byma' || source === 'yahoo';
}

/** How a source writes a row, and the prices that it has. */
interface Form {
  readonly fields: readonly PriceField[];
  readonly write: (row: Row) => object;
}

/** The forms of the sources that write a row for each instrument, and the prices of all of them. */
export const forms: Readonly<Record<SourceName, Form>> = {
  data912: {
    fields: ['last'],
    write: ({ ticker, last, volume, trades }) => ({
      symbol: ticker,
      c: last,
      v: volume,
      q_op: trades,
    }),
  },
  byma: {
    fields: priceFields,
    write: ({ ticker, at, last, open, high, low, previousClose, volume, trades, isOfSession }) => ({
      symbol: ticker,
      settlementType: '2',
      denominationCcy: 'ARS',
      // Before the first trade all numbers are 0.
      trade: isOfSession ? last : 0,
      tradeHour: timeOfDay(at),
      openingPrice: isOfSession ? open : 0,
      tradingHighPrice: isOfSession ? high : 0,
      tradingLowPrice: isOfSession ? low : 0,
      previousClosingPrice: previousClose ?? 0,
      volume: isOfSession ? volume : 0,
      numberOfOrders: trades,
    }),
  },
  dolarapi: {
    fields: ['last'],
    write: ({ at, last }) => ({ venta: last, fechaActualizacion: new Date(at).toISOString() }),
  },
  yahoo: {
    fields: ['last', 'high', 'low'],
    write: ({ ticker, at, last, high, low, volume }) => ({
      meta: {
        symbol: `${ticker}.BA`,
        currency: 'ARS',
        gmtoffset: -10_800,
        regularMarketTime: Math.floor(at / 1_000),
        regularMarketPrice: last,
        regularMarketDayHigh: high,
        regularMarketDayLow: low,
        regularMarketVolume: volume,
      },
      timestamp: [],
      indicators: {},
    }),
  },
};
