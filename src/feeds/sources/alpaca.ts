import * as v from '@badrap/valita';
import { addDays } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import {
  FeedFault,
  messageOf,
  reject,
  type FeedFaultCode,
  type Rejected,
} from '../contract/feed.ts';
import { commonFields, historyUrlField, secretField, streamFields } from '../contract/fields.ts';
import { filesOf } from '../contract/secrets.ts';
import { selectInstruments } from '../contract/select-instruments.ts';
import {
  dailyHistory,
  type BarsRequest,
  type SentBar,
  type SentBars,
} from '../net/daily-history.ts';
import { socketType, type SocketMessage } from '../net/socket.ts';
import { actionsOfAlpaca, type AlpacaActions } from '../shapes/alpaca-corporate-actions.ts';
import { asRecord, fieldsOf, isPrice, parseJson, instantIn } from '../shapes/as-record.ts';
import { usSymbolOf } from '../shapes/us-symbols.ts';

const schema = v.object({
  ...commonFields('alpaca', { staleAfterSeconds: 300 }),
  // Trades of the exchange IEX, which need no subscription. Of all exchanges: `/v2/sip`.
  ...streamFields({ url: 'wss://stream.data.alpaca.markets/v2/iex' }),
  historyUrl: historyUrlField('https://data.alpaca.markets'),
  key: secretField(),
  secret: secretField(),
});

type Config = v.Infer<typeof schema>;

/**
 * An account may open one connection, so a second one cannot replace the first: connections are used
 * for as long as they last. This is near the maximum of a timer.
 */
const lifetimeMs = 24 * 86_400_000;

function keyHeaders(config: Config, { secrets }: FeedDeps): Readonly<Record<string, string>> {
  return {
    'apca-api-key-id': secrets.read(config.key),
    'apca-api-secret-key': secrets.read(config.secret),
  };
}

/** Whether the source has an instrument. */
function isListed(instrument: Instrument): boolean {
  return usSymbolOf(instrument) !== undefined;
}

/** Instruments by symbol. */
function tickersBySymbol(instruments: readonly Instrument[]): ReadonlyMap<string, Ticker> {
  return new Map(instruments.map((one) => [usSymbolOf(one) ?? '', one.ticker]));
}

/** The source allows 200 requests a minute, and one instrument takes two. */
const spacingMs = 700;

/** The maximum number of bars of one response. */
const barsMax = 10_000;

/** More pages than the bars of a hundred years need. */
const pagesMax = 4;

/** Without a subscription, the data of all exchanges must be older than 15 minutes. */
const minimumAgeMs = 16 * 60_000;

/** The maximum number of corporate actions of one response. */
const actionsMax = 1_000;

/** The types of corporate actions that are read. */
const actionTypes = 'forward_split,reverse_split,stock_dividend,cash_dividend';

/**
 * Daily bars of all exchanges, as traded: the source is asked for unadjusted bars. The corporate actions
 * of the same days come from another path.
 */
async function requestBars(
  request: BarsRequest,
  config: Config,
  deps: FeedDeps,
): Promise<SentBars | undefined> {
  const { instrument, from, to, calendar, dateAt, now, read } = request;
  const symbol = usSymbolOf(instrument);
  if (symbol === undefined) return undefined;
  const endsAt = Math.min(calendar.startOfDay(addDays(to, 1)) - 1, now - minimumAgeMs);
  const startsAt = calendar.startOfDay(from);
  const bars: SentBar[] = [];
  if (startsAt > endsAt) return { bars };
  const url = new URL('/v2/stocks/bars', config.historyUrl);
  url.search = new URLSearchParams({
    symbols: symbol,
    timeframe: '1Day',
    start: new Date(startsAt).toISOString(),
    end: new Date(endsAt).toISOString(),
    adjustment: 'raw',
    feed: 'sip',
    limit: String(barsMax),
  }).toString();
  for (let pages = 1; ; pages += 1) {
    const page = mapBars(await read(url, keyHeaders(config, deps)), symbol, dateAt);
    bars.push(...page.bars);
    if (page.nextPage === undefined) break;
    if (pages === pagesMax) throw new FeedFault('unintelligible', 'the pages do not end');
    url.searchParams.set('page_token', page.nextPage);
  }
  const { actions, unread } = await requestActions(symbol, request, config, deps);
  return { bars, rejected: unread.map((path) => reject('unintelligible', path)), actions };
}

/** None when the source does not accept the symbol. A year has fewer than one page of a symbol. */
async function requestActions(
  symbol: string,
  { instrument, from, to, read }: BarsRequest,
  config: Config,
  deps: FeedDeps,
): Promise<AlpacaActions> {
  const url = new URL('/v1/corporate-actions', config.historyUrl);
  url.search = new URLSearchParams({
    symbols: symbol,
    types: actionTypes,
    start: from,
    end: to,
    limit: String(actionsMax),
  }).toString();
  try {
    return actionsOfAlpaca(await read(url, keyHeaders(config, deps)), {
      tickerOf: (sent) => (sent === symbol ? instrument.ticker : undefined),
      // Only a change of ticker names other symbols, so the universe is not searched for each instrument.
      nameOf: (sent) => {
        const listed = selectInstruments(isListed, { universe: deps.universe, config });
        return tickersBySymbol(listed).get(sent) ?? (sent as Ticker);
      },
      source: config.name,
    });
  } catch (fault) {
    if (!(fault instanceof FeedFault) || fault.code !== 'invalid-request') throw fault;
    return { actions: [], unread: [], unknown: new Set() };
  }
}

/** The message that subscribes to the trades of some symbols. */
function subscription(symbols: Iterable<string>): string {
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
  return messageOf(
    Array.isArray(message)
      ? (message as readonly unknown[]).map((item) => mapItem(item, tickers))
      : [reject('unintelligible', text)],
  );
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
  const at = instantIn(time);
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
interface BarPage {
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
  const at = instantIn(time);
  return { date: at === undefined ? undefined : dateAt(at), open, high, low, close, volume };
}

/** US shares, ADRs and ETFs of Alpaca, in real time. Needs an account. */
export const alpacaType = socketType<Config>({
  type: 'alpaca',
  schema,
  offers: isListed,
  limits: { lifetimeMs },
  open(instruments, config, deps) {
    const tickers = tickersBySymbol(instruments);
    return {
      connect: () => ({
        url: new URL(config.url),
        headers: keyHeaders(config, deps),
        subscribe: [subscription(tickers.keys())],
      }),
      map: (text) => mapAlpaca(text, tickers),
    };
  },
  createHistory: dailyHistory({
    offers: isListed,
    spacingMs,
    refusesUnknown: true,
    bars: requestBars,
  }),
  files: ({ key, secret }) => filesOf(key, secret),
});
