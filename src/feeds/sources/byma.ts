import { addDays } from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import {
  mapEach,
  FeedFault,
  reject,
  type Rejected,
  type RejectionReason,
} from '../contract/feed.ts';
import { tickersOf } from '../contract/select-instruments.ts';
import {
  dailyHistory,
  epochSeconds,
  type BarsRequest,
  type SentBar,
} from '../net/daily-history.ts';
import { polledType, type PolledSourceConfig } from '../net/polled-feed.ts';
import { requireList } from '../net/read-body.ts';
import { snapshotRequest, type Snapshot } from '../net/trade-detector.ts';
import { fieldsOf, isAmount, listOf, pricesOf, type JsonFields } from '../shapes/as-record.ts';
import { sideOf, totalOf, type BookOfUpdate } from '../shapes/book-fields.ts';
import { repoTerms } from '../shapes/repo-terms.ts';

/** How far the clock of the exchange may be ahead, in milliseconds. */
const clockToleranceMs = 60_000;

/**
 * The pause from one request to the next, in milliseconds. The source does not publish its limit. A
 * client that exceeds it gets no response to any connection for some time.
 */
const spacingMs = 1_500;

/** The path of a resource. */
function pathOf(name: string): string {
  return `/vanoms-be-core/rest/api/bymadata/free/${name}`;
}

/** The headers of every request: the source answers the pages of its own site only. */
function requestHeaders(url: string): Readonly<Record<string, string>> {
  const { origin } = new URL(url);
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    origin,
    referer: `${origin}/`,
  };
}

/** The panels of securities, with the kinds of instruments that each of them has. */
const securityPanels = {
  'leading-equity': ['share'],
  'general-equity': ['share'],
  cedears: ['cedear'],
  'public-bonds': ['bond', 'bill'],
  lebacs: ['bond', 'bill'],
  'negociable-obligations': ['corporate-bond'],
} as const satisfies Record<string, readonly Instrument['kind'][]>;

const securityNames = Object.keys(securityPanels) as (keyof typeof securityPanels)[];

/** The symbols of the indices. */
const indexSymbols: Readonly<Record<string, string>> = { MERVAL: 'M' };

/** The name of a panel, which is the last part of its path. */
export type PanelName = keyof typeof securityPanels | 'cauciones' | 'index-price';

/** The names of all panels, in the order in which they are requested. */
const panelNames: readonly PanelName[] = ['index-price', 'cauciones', ...securityNames];

/** Whether a panel may have an instrument. */
function isInPanel(name: PanelName, { ticker, kind, market }: Instrument): boolean {
  if (name === 'cauciones') return repoTerms.has(ticker);
  if (name === 'index-price') return Object.hasOwn(indexSymbols, ticker);
  const kinds: readonly Instrument['kind'][] = securityPanels[name];
  return market === 'BYMA' && kinds.includes(kind);
}

/** Whether the source has the daily history of an instrument: it has that of the securities. */
function hasHistory(instrument: Instrument): boolean {
  return securityNames.some((name) => isInPanel(name, instrument));
}

/** The body of the request for a panel. `T0` is immediate settlement, `T1` that of the next day. */
function requestBody(name: PanelName): string {
  if (name === 'index-price') return '{}';
  const settlement = { T0: name === 'cauciones', T1: true };
  // The number of the page is ignored, so all rows have to be on the first one.
  return JSON.stringify({ excludeZeroPxAndQty: false, ...settlement, page_size: 5_000 });
}

/** When a panel was requested. */
interface PanelTime {
  /** The instant of rows without a time of their own, in epoch milliseconds. */
  readonly snapshotAt: number;
  /** 00:00 of the day of the session, in epoch milliseconds. */
  readonly midnight: number;
  /** No trade can be later. A time of day beyond it is of an earlier day. In epoch milliseconds. */
  readonly latestAt: number;
}

/**
 * What a panel means: its rows, each with its latest price, or without one where nothing has traded.
 *
 * @throws FeedFault `unintelligible` when the body is no panel.
 */
export function mapPanel(
  name: PanelName,
  body: unknown,
  context: { readonly tickers: ReadonlySet<Ticker>; readonly time: PanelTime },
): Snapshot {
  const { sent, rejected } = rowsOf(body);
  const find = tickerFinder(name, sent, context.tickers);
  const mapped = mapEach(sent, (one) => mapRow(name, one, { find, time: context.time }));
  return { rows: mapped.taken, rejected: [...rejected, ...mapped.rejected] };
}

/** Some panels are a list, the others an object that has one and says how long it should be. */
function rowsOf(body: unknown): {
  readonly sent: readonly JsonFields[];
  readonly rejected: Rejected[];
} {
  if (Array.isArray(body)) return { sent: requireList(body).map(fieldsOf), rejected: [] };
  const { data, content } = fieldsOf(body);
  const sent = requireList(data).map(fieldsOf);
  const { total_elements_count: total } = fieldsOf(content);
  const isComplete = typeof total !== 'number' || sent.length >= total;
  return {
    sent,
    rejected: isComplete ? [] : [reject('incomplete', `${sent.length} of ${total} rows`)],
  };
}

type FindTicker = (row: JsonFields) => Ticker | undefined;

function tickerFinder(
  name: PanelName,
  sent: readonly JsonFields[],
  tickers: ReadonlySet<Ticker>,
): FindTicker {
  if (name === 'cauciones') {
    const terms = [...tickers].map((ticker) => [termOf(ticker, sent), ticker] as const);
    const byTerm = new Map(terms);
    return (row) => (isPesoRepo(row) ? byTerm.get(Number(row['daysToMaturity'])) : undefined);
  }
  if (name === 'index-price') {
    const bySymbol = new Map([...tickers].map((ticker) => [indexSymbols[ticker], ticker]));
    return ({ symbol }) => (typeof symbol === 'string' ? bySymbol.get(symbol) : undefined);
  }
  // The symbol is the ticker. The same symbol with immediate settlement is another price.
  return ({ symbol, settlementType }) =>
    settlementType === '2' && tickers.has(symbol as Ticker) ? (symbol as Ticker) : undefined;
}

/**
 * The term of an instrument on the day of a panel, in days. A repurchase agreement of one day ends on
 * the next business day: before a weekend or a holiday the shortest term is longer than a day.
 */
function termOf(ticker: Ticker, sent: readonly JsonFields[]): number {
  const term = repoTerms.get(ticker) ?? Number.NaN;
  if (term !== 1) return term;
  const terms = sent.filter(isPesoRepo).map((row) => Number(row['daysToMaturity']));
  return Math.min(...terms.filter((days) => days >= 1));
}

function isPesoRepo({ symbol, denominationCcy }: JsonFields): boolean {
  return typeof symbol === 'string' && symbol.startsWith('PESOS-') && denominationCcy === 'ARS';
}

function mapRow(
  name: PanelName,
  sent: JsonFields,
  { find, time }: { readonly find: FindTicker; readonly time: PanelTime },
): Update | Rejected {
  const { symbol } = sent;
  if (typeof symbol !== 'string') return reject('unintelligible', sent);
  const ticker = find(sent);
  if (ticker === undefined) return reject('no-instrument', symbol);
  if (name === 'index-price') return mapIndex(sent, { symbol, ticker, time });
  return mapTraded(sent, { symbol, ticker, time, isRate: name === 'cauciones' });
}

interface RowContext {
  readonly symbol: string;
  readonly ticker: Ticker;
  readonly time: PanelTime;
}

function mapIndex(
  { price, highValue, minValue, previousClosingPrice }: JsonFields,
  { symbol, ticker, time }: RowContext,
): Update | Rejected {
  if (typeof price !== 'number') return reject('unintelligible', { price }, symbol);
  // Before the open all values are 0.
  if (price <= 0) return reject('no-price', { price }, symbol);
  return {
    ticker,
    at: time.snapshotAt,
    last: price,
    ...pricesOf({ high: highValue, low: minValue, previousClose: previousClosingPrice }),
  };
}

function mapTraded(
  sent: JsonFields,
  { symbol, ticker, time, isRate }: RowContext & { readonly isRate: boolean },
): Update | Rejected {
  const { trade, tradeHour, volume, numberOfOrders: trades } = sent;
  const rejection = (reason: RejectionReason): Rejected =>
    reject(reason, { trade, tradeHour, volume }, symbol);
  if (!isAmount(trade) || !isAmount(volume)) return rejection('unintelligible');
  const factor = isRate ? 100 : 1;
  const counted = { ...(isRate ? {} : { volume }), ...totalOf('trades', trades) };
  // Without a trade today, the source repeats the previous close in another field.
  if (trade === 0 || volume === 0) return { ticker, at: time.snapshotAt, ...counted };
  const at = instantOf(tradeHour, time);
  if (at === undefined) return rejection('bad-instant');
  if (at > time.latestAt) return rejection('outdated');
  // Rates are fractions, and are used as percentages.
  if (isRate && trade > fractionMax) return rejection('unintelligible');
  return {
    ticker,
    at,
    last: scaled(trade, factor),
    ...pricesOf({
      open: scaled(sent['openingPrice'], factor),
      high: scaled(sent['tradingHighPrice'], factor),
      low: scaled(sent['tradingLowPrice'], factor),
      // A row of a rate is a day of maturity, which had another term the day before.
      previousClose: isRate ? undefined : sent['previousClosingPrice'],
    }),
    ...counted,
    ...bookIn(sent, { isRate, factor }),
  };
}

/** A fraction above this, 500 %, is a percentage: the field `settlementPrice` of the source is one. */
const fractionMax = 5;

/**
 * A price times a factor. A fraction of few decimals times 100 has no more decimals: 0.206 gives 20.6, not 20.599999.
 * Anything but a number is left as it is.
 */
function scaled<Value>(value: Value, factor: number): Value {
  if (factor === 1 || typeof value !== 'number') return value;
  return Number((value * factor).toFixed(6)) as Value;
}

/** The book. Sizes and amount of a rate are money that is lent, and are not used, as its volume is not. */
function bookIn(
  sent: JsonFields,
  { isRate, factor }: { readonly isRate: boolean; readonly factor: number },
): BookOfUpdate {
  const sizeIn = (field: string): unknown => (isRate ? undefined : sent[field]);
  return {
    ...sideOf('bid', scaled(sent['bidPrice'], factor), sizeIn('quantityBid')),
    ...sideOf('ask', scaled(sent['offerPrice'], factor), sizeIn('quantityOffer')),
    ...(isRate ? {} : totalOf('amount', sent['volumeAmount'])),
  };
}

function instantOf(tradeHour: unknown, { midnight }: PanelTime): number | undefined {
  const match = typeof tradeHour === 'string' ? timeOfDay.exec(tradeHour) : null;
  if (match === null) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number);
  return midnight + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

const timeOfDay = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/;

/**
 * The daily bars of a body. Empty when the source has none of the instrument.
 *
 * @throws FeedFault `unintelligible` when the body is no history.
 */
function mapHistory(body: unknown, dateAt: BarsRequest['dateAt']): readonly SentBar[] {
  const { s: status, t, ...columns } = fieldsOf(body);
  if (status === 'no_data') return [];
  const sent = ['o', 'h', 'l', 'c', 'v'].map((name) => columns[name]);
  const times = listOf(t);
  const lists = sent.map(listOf);
  const isWhole =
    [t, ...sent].every(Array.isArray) && lists.every(({ length }) => length === times.length);
  if (status !== 'ok' || !isWhole) {
    throw new FeedFault('unintelligible', 'the source sent no columns of equal length');
  }
  return times.map((time, index) => {
    const [open, high, low, close, volume] = lists.map((list) => list[index]);
    const date = isAmount(time) ? dateAt(time * 1_000) : undefined;
    return { date, open, high, low, close, volume };
  });
}

/** BYMA Open Data: the MERVAL, repo rates, and the panels of securities, delayed. */
export const bymaType = polledType({
  type: 'byma',
  staleAfterSeconds: 1_800,
  url: 'https://open.bymadata.com.ar',
  pollSeconds: { usual: 60, min: 30 },
  closedPollSeconds: 900,
  spacingMs,
  delayMinutes: 20,
  offers: (instrument) => panelNames.some((name) => isInPanel(name, instrument)),
  requests: (instruments, { url, delayMinutes = 0 }, { universe }) =>
    panelNames.flatMap((name) => {
      const members = instruments.filter((one) => isInPanel(name, one));
      const [first] = members;
      if (first === undefined) return [];
      const tickers = tickersOf(members);
      const calendar = new SessionCalendar(universe.marketOf(first));
      return snapshotRequest(universe, {
        // Before a session all numbers of a panel are 0.
        isResetAsWhole: true,
        request: () => ({
          url: new URL(pathOf(name), url),
          method: 'POST',
          headers: requestHeaders(url),
          body: requestBody(name),
        }),
        map({ json, snapshotAt }) {
          // The rows have a time of day: it is that of the session that was under way.
          const midnight = calendar.startOfDay(calendar.sessionAt(snapshotAt));
          // A row may be newer than `snapshotAt`, because the delay may be shorter than configured.
          const latestAt = snapshotAt + delayMinutes * 60_000 + clockToleranceMs;
          return mapPanel(name, json(), { tickers, time: { snapshotAt, midnight, latestAt } });
        },
      });
    }),
  // About the last two years.
  createHistory: dailyHistory({
    offers: hasHistory,
    spacingMs,
    async bars({ ticker, from, to, calendar, dateAt, read }, config: PolledSourceConfig) {
      const url = new URL(pathOf('chart/historical-series/history'), config.url);
      // The term of settlement is part of the symbol.
      url.searchParams.set('symbol', `${ticker} 24HS`);
      url.searchParams.set('resolution', 'D');
      url.searchParams.set('from', epochSeconds(calendar.startOfDay(from)));
      url.searchParams.set('to', epochSeconds(calendar.startOfDay(addDays(to, 1)) - 1_000));
      const body = await read(url, requestHeaders(config.url));
      return { bars: mapHistory(body, dateAt) };
    },
  }),
});
