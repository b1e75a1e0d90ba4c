import * as v from '@badrap/valita';
import { toEpochDay } from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import {
  FeedFault,
  messageOf,
  type Rejected,
  type RejectionReason,
  reject,
} from '../contract/feed.ts';
import { commonFields, secretField, streamFields } from '../contract/fields.ts';
import { filesOf } from '../contract/secrets.ts';
import { createFetch } from '../net/fetch-limited.ts';
import { socketType, type SocketMessage } from '../net/socket.ts';
import { fieldsOf, isNone, parseJson, pricesOf, type JsonFields } from '../shapes/as-record.ts';
import { sideOf, totalOf, type BookOfUpdate } from '../shapes/book-fields.ts';
import { repoTerms } from '../shapes/repo-terms.ts';

const schema = v.object({
  ...commonFields('primary', { staleAfterSeconds: 300 }),
  // Brokers have servers of their own.
  ...streamFields({ url: 'wss://api.primary.com.ar' }),
  /** The name of the user. */
  key: secretField(),
  /** The password. */
  secret: secretField(),
});

type Config = v.Infer<typeof schema>;

/** The header that carries the token in both directions. */
const tokenHeader = 'x-auth-token';

/**
 * A token, which is valid for a day: longer than a connection lasts.
 *
 * @throws FeedFault `refused` when the source does not accept the user or the password.
 */
async function requestToken(
  { url, key, secret }: Config,
  { secrets, clock, fetchLimits: limits, network }: FeedDeps,
  signal: AbortSignal,
): Promise<string> {
  const login = new URL('/auth/getToken', url.replace(/^ws/, 'http'));
  const headers = { 'x-username': secrets.read(key), 'x-password': secrets.read(secret) };
  const request = { url: login, method: 'POST', headers, wantedHeader: tokenHeader } as const;
  const fetched = await createFetch({ clock, limits, network })(request, signal);
  const token = fetched.isUnchanged ? undefined : fetched.header;
  if (token === undefined || token === '') {
    throw new FeedFault('unintelligible', `${login.origin}${login.pathname} sent no token`);
  }
  secrets.protect(token);
  return token;
}

/** The market that all symbols belong to. */
const marketId = 'ROFX';

/**
 * The fields that are subscribed to: last trade, open, high, low, nominal volume, best bid and offer,
 * traded amount, number of trades.
 */
const entries = ['LA', 'OP', 'HI', 'LO', 'NV', 'BI', 'OF', 'EV', 'TC'] as const;

/** The kinds of securities that trade on BYMA. */
const securities: ReadonlySet<Instrument['kind']> = new Set([
  'share',
  'cedear',
  'bond',
  'bill',
  'corporate-bond',
]);

/** The symbol of a future of A3 is its ticker, such as `DLR/DIC26`. */
const future = /^[A-Z][A-Z0-9.]{1,15}\/[A-Z]{3}\d{2}$/;

/** The terms, in days, of an agreement that ends on the next business day: more than one over weekends and holidays. */
const daysOfShortest = [1, 2, 3, 4, 5, 6];

/** The symbols of an instrument; none where the source does not have it. */
function symbolsOf({ ticker, kind, market }: Instrument): readonly string[] {
  const term = repoTerms.get(ticker);
  if (term !== undefined) {
    const terms = term === 1 ? daysOfShortest : [term];
    return terms.map((days) => `MERV - XMEV - PESOS - ${days}D`);
  }
  // Of the terms of settlement, that of the next day is the one that quotes are of.
  if (market === 'BYMA' && securities.has(kind)) return [`MERV - XMEV - ${ticker} - 24hs`];
  return market === 'A3' && future.test(ticker) ? [ticker] : [];
}

/** Whether the source has an instrument. */
export function isOffered(instrument: Instrument): boolean {
  return symbolsOf(instrument).length > 0;
}

/**
 * Maps the messages of one feed. A message repeats the last trade with the instant at which it took
 * place, whenever that was, so a trade of an earlier session begins none.
 */
export class PrimaryMapper {
  readonly #instruments = new Map<string, { ticker: Ticker; calendar: SessionCalendar }>();

  constructor(universe: Universe, instruments: Iterable<Instrument>) {
    for (const instrument of instruments) {
      const calendar = new SessionCalendar(universe.marketOf(instrument));
      for (const symbol of symbolsOf(instrument)) {
        this.#instruments.set(symbol, { ticker: instrument.ticker, calendar });
      }
    }
  }

  /**
   * The messages that subscribe to all instruments. Each has one symbol: the source rejects a message
   * with an unknown symbol as a whole.
   */
  subscriptions(): readonly string[] {
    return [...this.#instruments.keys()].map((symbol) =>
      JSON.stringify({
        type: 'smd',
        level: 1,
        depth: 1,
        entries,
        products: [{ symbol, marketId }],
      }),
    );
  }

  map(text: string): SocketMessage {
    const message = fieldsOf(parseJson(text));
    if (message['status'] === 'ERROR') return messageOf([toRejection(message)]);
    const { symbol } = fieldsOf(message['instrumentId']);
    if (message['type'] !== 'Md' || typeof symbol !== 'string') {
      return messageOf([reject('unintelligible', text)]);
    }
    const data = fieldsOf(message['marketData']);
    // The instrument has never traded.
    if (isNone(data['LA'])) return { ...messageOf([]), rows: 1 };
    const mapped = this.#mapData(symbol, { data, sentAt: message['timestamp'] });
    return { ...messageOf(mapped), rows: 1 };
  }

  #mapData(
    symbol: string,
    { data, sentAt }: { readonly data: JsonFields; readonly sentAt: unknown },
  ): readonly (Update | Rejected)[] {
    const instrument = this.#instruments.get(symbol);
    if (instrument === undefined) return [reject('no-instrument', symbol)];
    const { ticker, calendar } = instrument;
    const { price: last, date: at } = fieldsOf(data['LA']);
    const rejection = (reason: RejectionReason) => [reject(reason, data['LA'], symbol)];
    if (typeof last !== 'number') return rejection('unintelligible');
    if (last === 0) return rejection('no-price');
    if (!isInstant(at)) return rejection('bad-instant');
    const session = calendar.sessionAt(at);
    if (!isTermOf(symbol, at, calendar)) return rejection('no-instrument');
    // The open, the range and the volume are of the day of the message, not of that of the trade.
    const isOfToday = isInstant(sentAt) && calendar.sessionAt(sentAt) === session;
    const { OP, HI, LO, NV } = isOfToday ? data : {};
    const update = {
      ticker,
      at,
      last,
      ...pricesOf({ open: OP, high: HI, low: LO }),
      ...(typeof NV === 'number' && NV >= 0 && !isRepo(symbol) ? { volume: NV } : {}),
    };
    const book = isOfToday ? bookIn(data, symbol) : {};
    // The book is of the instant of the message, not of that of the trade.
    const hasBook = isOfToday && Object.keys(book).length > 0;
    return hasBook ? [update, { ticker, at: sentAt, ...book }] : [update];
  }
}

/** The book. Sizes and amount of a rate are money that is lent, and are not used, as its volume is not. */
function bookIn({ BI, OF, EV, TC }: JsonFields, symbol: string): BookOfUpdate {
  const isRate = isRepo(symbol);
  return {
    ...bestOf('bid', BI, isRate),
    ...bestOf('ask', OF, isRate),
    ...(isRate ? {} : totalOf('amount', EV)),
    ...totalOf('trades', TC),
  };
}

function isRepo(symbol: string): boolean {
  return symbol.includes(' PESOS ');
}

/** A side is a list with the best level, which is empty or null without orders. */
function bestOf(side: 'bid' | 'ask', levels: unknown, isRate: boolean): BookOfUpdate {
  if (levels === undefined) return {};
  const [best] = Array.isArray(levels) ? (levels as readonly unknown[]) : [];
  const { price = null, size } = fieldsOf(best);
  return sideOf(side, price, isRate ? undefined : size);
}

/** Whether a symbol is, at an instant, the repurchase agreement of its instrument. */
function isTermOf(symbol: string, at: number, calendar: SessionCalendar): boolean {
  const days = Number(/ - PESOS - (\d+)D$/.exec(symbol)?.[1]);
  if (Number.isNaN(days) || days >= 7) return true;
  const session = calendar.sessionAt(at);
  return toEpochDay(calendar.nextSettlement(session)) - toEpochDay(session) === days;
}

/** The error of a subscription names its symbol in the message that it repeats. */
function toRejection(message: JsonFields): Rejected {
  const { description, message: sent } = message;
  const { products } = fieldsOf(typeof sent === 'string' ? parseJson(sent) : sent);
  const { symbol } = fieldsOf(Array.isArray(products) ? products[0] : undefined);
  return typeof symbol === 'string'
    ? reject('not-offered', description, symbol)
    : reject('unintelligible', description);
}

/** The source began in 2013. The engine refuses instants that are ahead of its clock. */
const earliestAt = Date.UTC(2013, 0, 1);
const latestAt = Date.UTC(9999, 11, 31);

function isInstant(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= earliestAt && Number(value) <= latestAt;
}

/** BYMA and the futures of A3, in real time, with an account of a broker or of Primary. */
export const primaryType = socketType<Config>({
  type: 'primary',
  schema,
  offers: isOffered,
  open(instruments, config, deps) {
    const mapper = new PrimaryMapper(deps.universe, instruments);
    return {
      connect: async (signal) => ({
        url: new URL(config.url),
        headers: { [tokenHeader]: await requestToken(config, deps, signal) },
        subscribe: mapper.subscriptions(),
      }),
      map: (text) => mapper.map(text),
    };
  },
  files: ({ key, secret }) => filesOf(key, secret),
});
