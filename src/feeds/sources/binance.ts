import * as v from '@badrap/valita';
import { addDays, msPerDay } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import {
  FeedFault,
  messageOf,
  reject,
  type Rejected,
  type RejectionReason,
} from '../contract/feed.ts';
import { commonFields, historyUrlField, streamFields } from '../contract/fields.ts';
import { tickersOf } from '../contract/select-instruments.ts';
import { type SentBar, dailyHistory } from '../net/daily-history.ts';
import { socketType, type SocketMessage } from '../net/socket.ts';
import { amountIn, fieldsOf, parseJson, type JsonFields } from '../shapes/as-record.ts';
import { sideOf } from '../shapes/book-fields.ts';
import { dateOfInstant } from '../shapes/date-of-instant.ts';

const schema = v.object({
  ...commonFields('binance', { staleAfterSeconds: 60 }),
  // These servers send market data only, and need no account.
  ...streamFields({ url: 'wss://data-stream.binance.vision' }),
  historyUrl: historyUrlField('https://data-api.binance.vision'),
});

type Config = v.Infer<typeof schema>;

/** The maximum number of days of one response. */
const daysMax = 1_000;

/** The time zone in whose 00:00 the instant is, as the source writes it: `-3:00`. */
function offsetOf(startOfDay: number): string {
  const intoDay = Math.round((startOfDay % msPerDay) / 60_000);
  // 00:00 is at 03:00 UTC three hours west of it, and at 21:00 UTC three hours east of it.
  const minutes = intoDay <= 720 ? -intoDay : 1_440 - intoDay;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : ''}${hours}:${String(rest).padStart(2, '0')}`;
}

const assets = 'BTC ETH BNB SOL XRP USDC ADA DOGE TRX DOT LTC BCH LINK AVAX XLM UNI ETC ATOM';

/** The tickers that the source offers. */
export const binanceTickers: readonly string[] = assets.split(' ');

/** The symbol of an instrument. Prices are in USDT, which is taken for the dollar. */
function symbolOf(ticker: string): string {
  return `${ticker}USDT`;
}

/** The path of a connection that subscribes to some instruments. */
function streamPath(tickers: Iterable<Ticker>): string {
  const streams = Array.from(tickers, (ticker) => `${symbolOf(ticker).toLowerCase()}@ticker`);
  return `/stream?streams=${streams.join('/')}`;
}

/**
 * Maps the messages of one feed. It remembers the last trade of each symbol, because the source sends
 * its statistics every second, with or without a trade: a price is new only with a new trade. Without
 * one, the book is passed on alone.
 */
export class BinanceMapper {
  readonly #tickers: ReadonlyMap<string, Ticker>;
  readonly #lastTrades = new Map<string, number>();

  constructor(tickers: Iterable<Ticker>) {
    this.#tickers = new Map(Array.from(tickers, (ticker) => [symbolOf(ticker), ticker]));
  }

  map(text: string): SocketMessage {
    const message = parseJson(text);
    const { data = message } = fieldsOf(message);
    const event = fieldsOf(data);
    if (event['e'] === 'serverShutdown') return { ...messageOf([]), closesSoon: true };
    const isTicker = event['e'] === '24hrTicker';
    return messageOf([isTicker ? this.#mapTicker(event) : reject('unintelligible', text)]);
  }

  /** Undefined without a new trade and without a book. */
  #mapTicker(event: JsonFields): Update | Rejected | undefined {
    const { s: symbol, E: at, c, L: trade } = event;
    const ticker = typeof symbol === 'string' ? this.#tickers.get(symbol) : undefined;
    if (typeof symbol !== 'string' || ticker === undefined) {
      return reject('no-instrument', symbol);
    }
    const rejection = (reason: RejectionReason): Rejected =>
      reject(reason, { E: at, c, L: trade }, symbol);
    if (typeof at !== 'number' || !Number.isInteger(at) || at < earliestAt) {
      return rejection('bad-instant');
    }
    const last = amountIn(c);
    if (last === undefined || !Number.isInteger(trade)) return rejection('unintelligible');
    // Without a trade in the last 24 hours there is no price, and the first trade id is -1.
    if (last === 0 || Number(trade) < 0) return rejection('no-price');
    const isNewTrade = this.#lastTrades.get(symbol) !== trade;
    this.#lastTrades.set(symbol, Number(trade));
    const book = {
      ...sideOf('bid', amountIn(event['b']), amountIn(event['B'])),
      ...sideOf('ask', amountIn(event['a']), amountIn(event['A'])),
    };
    if (!isNewTrade && Object.keys(book).length === 0) return undefined;
    return { ticker, at, ...(isNewTrade ? { last } : {}), ...book };
  }
}

/**
 * Maps daily candlesticks (klines). A candlestick that is not a whole day of the market is not read.
 *
 * @returns with `lastAt`, the beginning of the last one in epoch milliseconds; 0 without any.
 * @throws FeedFault `unintelligible` when the body is no list.
 */
function mapKlines(
  body: unknown,
  calendar: SessionCalendar,
): { readonly bars: readonly SentBar[]; readonly lastAt: number } {
  if (!Array.isArray(body)) throw new FeedFault('unintelligible', 'the source sent no list');
  let lastAt = 0;
  const bars = body.map((kline: unknown): SentBar => {
    const [at, ...rest] = Array.isArray(kline) ? (kline as readonly unknown[]) : [];
    const [open, high, low, close, volume] = rest.map(amountIn);
    const isInstant = typeof at === 'number' && Number.isInteger(at) && at >= earliestAt;
    if (!isInstant) return { date: undefined, close };
    lastAt = at;
    const date = dateOfInstant(at, calendar);
    const isWholeDay = date !== undefined && calendar.startOfDay(date) === at;
    return { date: isWholeDay ? date : undefined, open, high, low, close, volume };
  });
  return { bars, lastAt };
}

/** The exchange opened in July 2017. */
const earliestAt = Date.UTC(2017, 6, 1);

/** Crypto assets on Binance, in real time. */
export const binanceType = socketType<Config>({
  type: 'binance',
  schema,
  offers: binanceTickers,
  // Statistics come every second, and the connection is closed after 24 hours.
  limits: { idleMs: 20_000, lifetimeMs: 23 * 3_600_000 },
  open(instruments, config) {
    const tickers = tickersOf(instruments);
    const mapper = new BinanceMapper(tickers);
    return {
      connect: () => ({ url: new URL(streamPath(tickers), config.url) }),
      map: (text) => mapper.map(text),
    };
  },
  // In the days of the market of the instrument. The source allows 3,000 of these requests a minute.
  createHistory: dailyHistory({
    offers: binanceTickers,
    spacingMs: 250,
    refusesUnknown: true,
    async bars({ ticker, from, to, calendar, read }, config: Config) {
      const endsAt = calendar.startOfDay(addDays(to, 1)) - 1;
      const bars: SentBar[] = [];
      for (let startsAt = calendar.startOfDay(from); startsAt <= endsAt;) {
        const url = new URL('/api/v3/klines', config.historyUrl);
        url.searchParams.set('symbol', symbolOf(ticker));
        url.searchParams.set('interval', '1d');
        url.searchParams.set('timeZone', offsetOf(startsAt));
        url.searchParams.set('startTime', String(startsAt));
        url.searchParams.set('endTime', String(endsAt));
        url.searchParams.set('limit', String(daysMax));
        const page = mapKlines(await read(url), calendar);
        bars.push(...page.bars);
        // Each page begins after the one before it, so the pages end.
        if (page.bars.length < daysMax || page.lastAt < startsAt) break;
        startsAt = page.lastAt + msPerDay;
      }
      return { bars };
    },
  }),
});
