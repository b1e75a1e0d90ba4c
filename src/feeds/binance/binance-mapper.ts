import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { fieldsOf, parseJson } from '../shapes/as-record.ts';
import { dateOfInstant } from '../shapes/date-of-instant.ts';
import { FeedFault } from '../contract/feed.ts';
import type { SentBar } from '../net/daily-bars.ts';
import { sideOf } from '../shapes/book-fields.ts';
import { reject } from '../contract/sample.ts';
import type { SocketMessage } from '../net/socket.ts';

/** The symbols of the instruments. Prices are in USDT, which is taken for the dollar. */
const symbols: Readonly<Record<string, string>> = {
  BTC: 'BTCUSDT',
  ETH: 'ETHUSDT',
  BNB: 'BNBUSDT',
  SOL: 'SOLUSDT',
  XRP: 'XRPUSDT',
  USDC: 'USDCUSDT',
  ADA: 'ADAUSDT',
  DOGE: 'DOGEUSDT',
  TRX: 'TRXUSDT',
  DOT: 'DOTUSDT',
  LTC: 'LTCUSDT',
  BCH: 'BCHUSDT',
  LINK: 'LINKUSDT',
  AVAX: 'AVAXUSDT',
  XLM: 'XLMUSDT',
  UNI: 'UNIUSDT',
  ETC: 'ETCUSDT',
  ATOM: 'ATOMUSDT',
};

/** The tickers that the source offers. */
export const binanceTickers = Object.keys(symbols);

/** The symbol of an instrument; undefined where the source does not have it. */
export function symbolOf(ticker: Ticker): string | undefined {
  return symbols[ticker];
}

/** The path of a connection that subscribes to some instruments. */
export function streamPath(tickers: Iterable<Ticker>): string {
  const streams = [...tickers].map((ticker) => `${symbols[ticker]?.toLowerCase()}@ticker`);
  return `/stream?streams=${streams.join('/')}`;
}

const nothing: SocketMessage = { updates: [], rejected: [] };

/**
 * Maps the messages of one feed. It remembers the last trade of each symbol, because the source sends
 * its statistics every second, with or without a trade: a price is new only with a new trade. Without
 * one, the book is passed on alone.
 */
export class BinanceMapper {
  readonly #tickers: ReadonlyMap<string, Ticker>;
  readonly #lastTrades = new Map<string, number>();

  constructor(tickers: Iterable<Ticker>) {
    this.#tickers = new Map([...tickers].map((ticker) => [symbols[ticker] ?? '', ticker]));
  }

  map(text: string): SocketMessage {
    const message = parseJson(text);
    const { data = message } = fieldsOf(message);
    const event = fieldsOf(data);
    if (event['e'] === 'serverShutdown') return { ...nothing, closesSoon: true };
    if (event['e'] !== '24hrTicker')
      return { updates: [], rejected: [reject('unintelligible', text)] };
    return this.#mapTicker(event);
  }

  #mapTicker(event: Readonly<Record<string, unknown>>): SocketMessage {
    const { s: symbol, E: at, c, L: trade } = event;
    const ticker = typeof symbol === 'string' ? this.#tickers.get(symbol) : undefined;
    if (typeof symbol !== 'string' || ticker === undefined) {
      return { updates: [], rejected: [reject('no-instrument', symbol)] };
    }
    const rejection = (reason: 'bad-instant' | 'no-price' | 'unintelligible'): SocketMessage => ({
      updates: [],
      rejected: [reject(reason, { E: at, c, L: trade }, symbol)],
    });
    if (typeof at !== 'number' || !Number.isInteger(at) || at < earliestAt) {
      return rejection('bad-instant');
    }
    if (typeof c !== 'string' || !decimal.test(c) || !Number.isInteger(trade)) {
      return rejection('unintelligible');
    }
    const last = Number(c);
    // Without a trade in the last 24 hours there is no price, and the first trade id is -1.
    if (last === 0 || Number(trade) < 0) return rejection('no-price');
    const isNewTrade = this.#lastTrades.get(symbol) !== trade;
    this.#lastTrades.set(symbol, Number(trade));
    const book = {
      ...sideOf('bid', amountOf(event['b']), amountOf(event['B'])),
      ...sideOf('ask', amountOf(event['a']), amountOf(event['A'])),
    };
    if (!isNewTrade && Object.keys(book).length === 0) return nothing;
    const update: Update = { ticker, at, ...(isNewTrade ? { last } : {}), ...book };
    return { updates: [update], rejected: [] };
  }
}

/**
 * Maps daily candlesticks (klines). A candlestick that is not a whole day of the market is not read.
 *
 * @returns with `lastAt`, the beginning of the last one in epoch milliseconds; 0 without any.
 * @throws FeedFault `unintelligible` when the body is no list.
 */
export function mapKlines(
  body: unknown,
  calendar: SessionCalendar,
): { readonly bars: readonly SentBar[]; readonly lastAt: number } {
  if (!Array.isArray(body)) throw new FeedFault('unintelligible', 'the source sent no list');
  let lastAt = 0;
  const bars = body.map((kline: unknown): SentBar => {
    const [at, ...rest] = Array.isArray(kline) ? (kline as readonly unknown[]) : [];
    const [open, high, low, close, volume] = rest.map(amountOf);
    const isInstant = typeof at === 'number' && Number.isInteger(at) && at >= earliestAt;
    if (!isInstant) return { date: undefined, close };
    lastAt = at;
    const date = dateOfInstant(at, calendar);
    const isWholeDay = date !== undefined && calendar.startOfDay(date) === at;
    return { date: isWholeDay ? date : undefined, open, high, low, close, volume };
  });
  return { bars, lastAt };
}

/** The source writes amounts as texts. */
function amountOf(value: unknown): number | undefined {
  return typeof value === 'string' && decimal.test(value) ? Number(value) : undefined;
}

/** The exchange opened in July 2017. */
const earliestAt = Date.UTC(2017, 6, 1);

const decimal = /^\d{1,15}(?:\.\d{1,15})?$/;
