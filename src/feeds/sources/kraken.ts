import * as v from '@badrap/valita';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { FeedFault, messageOf, reject, type Rejected } from '../contract/feed.ts';
import { commonFields, historyUrlField, streamFields } from '../contract/fields.ts';
import { tickersOf } from '../contract/select-instruments.ts';
import { dailyHistory, type SentBar } from '../net/daily-history.ts';
import { socketType, type SocketMessage } from '../net/socket.ts';
import { fieldsOf, parseJson, instantIn, amountIn } from '../shapes/as-record.ts';
import { dateOfInstant } from '../shapes/date-of-instant.ts';

const schema = v.object({
  ...commonFields('kraken', { staleAfterSeconds: 60 }),
  ...streamFields({ url: 'wss://ws.kraken.com/v2' }),
  historyUrl: historyUrlField('https://api.kraken.com'),
});

type Config = v.Infer<typeof schema>;

/** Daily bars of the source are days of UTC. Of its hours, days of any market can be composed. */
const intervalMinutes = 60;

const assets =
  'BTC ETH USDT BNB SOL XRP USDC ADA DOGE TRX DOT LTC BCH LINK AVAX XLM UNI DAI ETC ATOM';

/** The tickers that the source offers. Prices are in US dollars. */
export const krakenTickers: readonly string[] = assets.split(' ');

/** The pair of an instrument. */
function pairOf(ticker: string): string {
  return `${ticker}/USD`;
}

/**
 * The message that subscribes to the trades of some instruments. The source answers with the latest
 * fifty trades of each pair, so an instrument has a price before its next trade.
 */
export function subscription(tickers: Iterable<Ticker>): string {
  const symbol = Array.from(tickers, pairOf);
  return JSON.stringify({
    method: 'subscribe',
    params: { channel: 'trade', symbol, snapshot: true },
  });
}

/** What the REST API calls some assets. */
const restAssets: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };

/** The pair of an instrument in the REST API. */
function restPairOf(ticker: Ticker): string {
  return `${restAssets[ticker] ?? ticker}USD`;
}

/**
 * Maps a message of the channel `trade` of the WebSocket API v2.
 *
 * @param tickers the instruments that are taken from the source, by pair.
 * @throws FeedFault when the source limits requests or is under maintenance.
 */
export function mapKraken(text: string, tickers: ReadonlyMap<string, Ticker>): SocketMessage {
  const message = parseJson(text);
  const { channel, method, success, data } = fieldsOf(message);
  // Sent about once a second while there are no trades.
  if (channel === 'heartbeat' || method === 'pong') return messageOf([]);
  if (method === 'subscribe' && success === true) return messageOf([]);
  if (success === false) return messageOf([mapRefusal(message)]);
  if (!Array.isArray(data)) return messageOf([reject('unintelligible', text)]);
  const rows: readonly unknown[] = data;
  if (channel === 'trade') return messageOf(rows.map((trade) => mapTrade(trade, tickers)));
  if (channel !== 'status') return messageOf([reject('unintelligible', text)]);
  if (fieldsOf(rows[0])['system'] !== 'maintenance') return messageOf([]);
  throw new FeedFault('unavailable', 'Kraken is under maintenance');
}

/** By pair: the instruments that are taken from the source. */
export function tickersByPair(tickers: Iterable<Ticker>): ReadonlyMap<string, Ticker> {
  return new Map(Array.from(tickers, (ticker) => [pairOf(ticker), ticker]));
}

/** The source refuses one pair of a subscription in a message of its own. The others are sent. */
function mapRefusal(message: unknown): Rejected {
  const { error, symbol } = fieldsOf(message);
  if (typeof error === 'string' && /rate limit|msg rate|too many/i.test(error)) {
    throw new FeedFault('limited', 'Kraken limits the number of requests');
  }
  const pair = typeof symbol === 'string' ? symbol : undefined;
  return reject('not-offered', error, pair);
}

function mapTrade(trade: unknown, tickers: ReadonlyMap<string, Ticker>): Update | Rejected {
  const { symbol, price, timestamp } = fieldsOf(trade);
  if (typeof symbol !== 'string') return reject('unintelligible', trade);
  const ticker = tickers.get(symbol);
  if (ticker === undefined) return reject('no-instrument', symbol, symbol);
  const at = instantIn(timestamp);
  if (at === undefined || at < earliestAt) return reject('bad-instant', timestamp, symbol);
  if (typeof price !== 'number') return reject('unintelligible', price, symbol);
  if (price === 0) return reject('no-price', price, symbol);
  return { ticker, at, last: price };
}

/**
 * Maps hourly bars to days of a market. The bars begin within a day, and this day is left out, because
 * its range and its volume are not known. Undefined for a pair that the source does not have.
 *
 * @throws FeedFault when the body is no list of bars.
 */
function mapHours(body: unknown, calendar: SessionCalendar): readonly SentBar[] | undefined {
  const { error, result } = fieldsOf(body);
  const [message] = Array.isArray(error) ? (error as readonly unknown[]) : [];
  if (typeof message === 'string') {
    if (message === 'EQuery:Unknown asset pair') return undefined;
    throw faultOf(message);
  }
  // The name of the list is the internal name of the pair. `last` is a cursor.
  const lists = Object.values(fieldsOf(result)).filter((one) => Array.isArray(one));
  const [hours] = lists as readonly (readonly unknown[])[];
  if (hours === undefined || hours.length === 0) {
    throw new FeedFault('unintelligible', 'the source sent no bars');
  }
  const days = Map.groupBy(hours.map(hourOf), ({ at }) => dateOf(at, calendar));
  const [first] = days.keys();
  return [...days].flatMap(([date, bars]) => {
    if (date === undefined) return bars.map(({ close }) => ({ date, close }));
    const beginsWithin = date === first && bars[0]?.at !== calendar.startOfDay(date);
    return beginsWithin ? [] : [dayOf(date, bars)];
  });
}

/** An hour as the source sent it. What is no number is `NaN`, and makes its day one without a price. */
interface Hour {
  /** The beginning, in epoch milliseconds. */
  readonly at: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

function amountOf(value: unknown): number {
  return amountIn(value) ?? Number.NaN;
}

function hourOf(bar: unknown): Hour {
  const [seconds, open, high, low, close, , volume] = Array.isArray(bar)
    ? (bar as readonly unknown[])
    : [];
  return {
    at: typeof seconds === 'number' ? seconds * 1_000 : Number.NaN,
    open: amountOf(open),
    high: amountOf(high),
    low: amountOf(low),
    close: amountOf(close),
    volume: amountOf(volume),
  };
}

function dateOf(at: number, calendar: SessionCalendar): PlainDate | undefined {
  return at >= earliestAt ? dateOfInstant(at, calendar) : undefined;
}

function dayOf(date: PlainDate, hours: readonly Hour[]): SentBar {
  return {
    date,
    open: hours[0]?.open,
    high: Math.max(...hours.map(({ high }) => high)),
    low: Math.min(...hours.map(({ low }) => low)),
    close: hours.at(-1)?.close,
    volume: hours.reduce((sum, { volume }) => sum + volume, 0),
  };
}

/** Errors have status 200. */
function faultOf(message: string): FeedFault {
  if (/rate limit|too many requests|throttled/i.test(message)) {
    return new FeedFault('limited', 'Kraken limits the number of requests');
  }
  if (message.startsWith('EService:')) return new FeedFault('unavailable', 'Kraken is unavailable');
  return new FeedFault('unintelligible', 'Kraken sent an unknown error');
}

/** The exchange opened in September 2013. */
const earliestAt = Date.UTC(2013, 8, 1);

/** Crypto assets on Kraken, in real time. */
export const krakenType = socketType<Config>({
  type: 'kraken',
  schema,
  offers: krakenTickers,
  // The source sends a heartbeat about once a second.
  limits: { idleMs: 20_000 },
  open(instruments, config) {
    const tickers = tickersOf(instruments);
    const byPair = tickersByPair(tickers);
    return {
      connect: () => ({ url: new URL(config.url), subscribe: [subscription(tickers)] }),
      map: (text) => mapKraken(text, byPair),
    };
  },
  // The last thirty days, because the source sends the last 720 bars. It allows about one request a second.
  createHistory: dailyHistory({
    offers: krakenTickers,
    spacingMs: 1_500,
    async bars({ ticker, calendar, read }, config: Config) {
      const url = new URL('/0/public/OHLC', config.historyUrl);
      url.searchParams.set('pair', restPairOf(ticker));
      url.searchParams.set('interval', String(intervalMinutes));
      const bars = mapHours(await read(url), calendar);
      return bars && { bars };
    },
  }),
});
