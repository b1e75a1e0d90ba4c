import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { asRecord, fieldsOf, isPrice, parseJson } from '../shapes/as-record.ts';
import { FeedFault, type FeedFaultCode, type Rejected } from '../contract/feed.ts';
import type { SentBar } from '../net/daily-bars.ts';
import type { BarsRequest } from '../net/daily-history.ts';
import type { SocketMessage } from '../net/socket.ts';
import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';
import { reject } from '../contract/sample.ts';

/** The message that subscribes to the trades of some symbols. */
export function subscription(symbols: Iterable<string>): string {
  return JSON.stringify({ action: 'subscribe', trades: [...symbols] });
}

/**
 * The conditions of trades that do not set the last price of a security, by the rules of the
 * consolidated tapes (CTA and UTP), one letter each: average and derived prices, odd lots, trades outside the session
 * and out of sequence, and the reports of the official open and close.
 */
const ineligible: ReadonlySet<string> = new Set('47BCGHIMNPQRTUVWZ');

/** The errors of the source that end a connection, by code. */
const errors: Readonly<Record<number, readonly [FeedFaultCode, string]>> = {
  400: ['invalid-request', 'does not accept a symbol'],
  401: ['refused', 'refuses access: check key and secret'],
  402: ['refused', 'refuses access: check key and secret'],
  404: ['refused', 'refuses access: check key and secret'],
  405: [
    'invalid-request',
    'permits fewer instruments with this account: list them under instruments.include',
  ],
  406: ['unavailable', 'permits one connection, and another program uses it'],
  407: ['unavailable', 'closes the connection, because messages were read too slowly'],
  409: ['refused', 'does not include this data in the account: check url'],
  410: ['refused', 'does not include this data in the account: check url'],
  500: ['unavailable', 'has an internal error'],
};

/** Control messages, and corrections of trades, which are sent with every subscription to trades. */
const ignored: ReadonlySet<unknown> = new Set(['success', 'subscription', 'c', 'x']);

/**
 * Maps a message of the stream of stocks, which is a list.
 *
 * @param tickers the instruments that are taken from the source, by symbol.
 * @throws FeedFault for an error that ends the connection: a wrong key, a limit.
 */
export function mapAlpaca(text: string, tickers: ReadonlyMap<string, Ticker>): SocketMessage {
  const message = parseJson(text);
  if (!Array.isArray(message)) return { updates: [], rejected: [reject('unintelligible', text)] };
  const updates: Update[] = [];
  const rejected: Rejected[] = [];
  for (const item of message as readonly unknown[]) {
    const mapped = mapItem(item, tickers);
    if (mapped === undefined) continue;
    if ('reason' in mapped) rejected.push(mapped);
    else updates.push(mapped);
  }
  return { updates, rejected };
}

/** Undefined for an item that changes no price. */
function mapItem(
  item: unknown,
  tickers: ReadonlyMap<string, Ticker>,
): Update | Rejected | undefined {
  const { T: type, S: symbol, p: price, t: time, c: conditions, code } = fieldsOf(item);
  if (type === 'error') throw faultOf(code);
  if (ignored.has(type)) return undefined;
  if (type !== 't' || typeof symbol !== 'string') return reject('unintelligible', item);
  const ticker = tickers.get(symbol);
  if (ticker === undefined) return reject('no-instrument', symbol, symbol);
  const at = typeof time === 'string' ? parseRfc3339(time) : undefined;
  if (at === undefined || at < earliestAt) return reject('bad-instant', time, symbol);
  if (!isPrice(price)) return reject('no-price', price, symbol);
  if (!Array.isArray(conditions)) return reject('unintelligible', { c: conditions }, symbol);
  if (conditions.some((condition) => ineligible.has(condition as string))) return undefined;
  return { ticker, at, last: price };
}

/** The text of the error is not repeated, because it may contain what was sent. */
function faultOf(code: unknown): FeedFault {
  const [kind, message] = errors[Number(code)] ?? ['unavailable', 'sent an unknown error'];
  return new FeedFault(kind, `Alpaca ${message} (code ${Number(code)})`);
}

/** The source has trades since 2016. */
const earliestAt = Date.UTC(2016, 0, 1);

/** One page of the daily bars of a symbol. */
export interface BarPage {
  readonly bars: readonly SentBar[];
  /** Names the next page; undefined on the last one. */
  readonly nextPage: string | undefined;
}

/**
 * Maps a response with daily bars.
 *
 * @throws FeedFault `unintelligible` when the body has no bars.
 */
export function mapBars(body: unknown, symbol: string, dateAt: BarsRequest['dateAt']): BarPage {
  const { bars, next_page_token: token } = fieldsOf(body);
  const bySymbol = asRecord(bars);
  if (bySymbol === undefined) throw new FeedFault('unintelligible', 'the source sent no bars');
  // A symbol without a bar in the range is missing.
  const list = bySymbol[symbol] ?? [];
  if (!Array.isArray(list)) throw new FeedFault('unintelligible', 'the source sent no bars');
  return {
    bars: list.map((bar) => mapBar(bar, dateAt)),
    nextPage: typeof token === 'string' && token !== '' ? token : undefined,
  };
}

function mapBar(bar: unknown, dateAt: BarsRequest['dateAt']): SentBar {
  const { t: time, o: open, h: high, l: low, c: close, v: volume } = fieldsOf(bar);
  // The instant of a bar is the beginning of the day in New York.
  const at = typeof time === 'string' ? parseRfc3339(time) : undefined;
  return { date: at === undefined ? undefined : dateAt(at), open, high, low, close, volume };
}
