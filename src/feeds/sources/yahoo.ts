import { addDays, lastEpochDay, toEpochDay, utcDayOf } from '../../domain/calendar/plain-date.ts';
import { moveWith } from '../../domain/history/action-evidence.ts';
import { isFactorAction, type FactorAction } from '../../domain/history/corporate-action.ts';
import { priceFactor } from '../../domain/history/corporate-actions.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { withoutBinaryError } from '../../domain/values/rounding.ts';
import { FeedFault, messageOf, reject, type FeedMessage, type Rejected } from '../contract/feed.ts';
import { newFirst } from '../contract/select-instruments.ts';
import { chunksOf } from '../net/chunks-of.ts';
import { dailyHistory, epochSeconds, type SentBar } from '../net/daily-history.ts';
import { polledType, type PolledSourceConfig, type PollRequest } from '../net/polled-feed.ts';
import { asRecord, fieldsOf, isPrice, listOf, pricesOf } from '../shapes/as-record.ts';
import { barsOfChart, type ChartBar } from '../shapes/chart-bars.ts';
import { actionsOfChart, type ChartActions, type ChartOwner } from '../shapes/chart-events.ts';
import { yahooSymbolOf, type YahooSymbol } from '../shapes/yahoo-symbols.ts';

/** The source answers 400 to a request for more. */
const symbolsPerRequest = 20;

/** Maximum number of opens that a poll requests. Each needs a request of its own, for a chart. */
const chartsPerPoll = 30;

/**
 * For which instruments the open of the session is known: the charts of several instruments have none. Every session of
 * the source is within a day of UTC.
 */
class KnownOpens {
  readonly #wanted = new Map<Ticker, number>();
  readonly #known = new Map<Ticker, number>();
  #left = chartsPerPoll;

  /** Takes note of the sessions of a response. */
  wanted(message: FeedMessage): FeedMessage {
    this.#left = chartsPerPoll;
    for (const { ticker, at } of message.updates) this.#wanted.set(ticker, utcDayOf(at));
    return message;
  }

  /** Takes note of the opens of a response. A session whose open it lacks has none. */
  known(message: FeedMessage): FeedMessage {
    for (const { ticker, at } of message.updates) this.#known.set(ticker, utcDayOf(at));
    return message;
  }

  /** Whether the open of an instrument is to be requested now. Counts the requests of a poll. */
  isDue(ticker: Ticker): boolean {
    const day = this.#wanted.get(ticker);
    if (day === undefined || this.#known.get(ticker) === day || this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

/**
 * The bars as they were traded: prices that the source divided by the factors of later splits are
 * multiplied by them, and volumes divided. The source has not adjusted some splits of BYMA. These are
 * recognised by their bars, which move with the split, and nothing is undone.
 *
 * @param bars ascending by date
 */
export function asTraded(
  bars: readonly SentBar[],
  splits: readonly FactorAction[],
): readonly SentBar[] {
  const adjusted = splits.filter((split) => !isVisible(bars, split));
  if (adjusted.length === 0) return bars;
  return bars.map((bar) => {
    if (bar.date === undefined) return bar;
    const factor = priceFactor(adjusted, { from: toEpochDay(bar.date), to: lastEpochDay });
    if (factor === 1) return bar;
    const times = (value: unknown): unknown =>
      isPrice(value) ? withoutBinaryError(value * factor) : value;
    const { open, high, low, close, volume } = bar;
    return {
      date: bar.date,
      open: times(open),
      high: times(high),
      low: times(low),
      close: times(close),
      volume: isPrice(volume) ? withoutBinaryError(volume / factor) : volume,
    };
  });
}

/** Whether the closes around a split move by its factor rather than stay. */
function isVisible(bars: readonly SentBar[], { exDay, factor }: FactorAction): boolean {
  const priced = bars.filter(({ date, close }) => date !== undefined && isPrice(close));
  const isAfter = ({ date }: SentBar): boolean => date !== undefined && toEpochDay(date) >= exDay;
  const [before, after] = [priced.findLast((bar) => !isAfter(bar)), priced.find(isAfter)];
  if (before === undefined || after === undefined) return false;
  return moveWith(Number(before.close), Number(after.close), factor) === 'moved';
}

/** The source answers 429 to a client without the usual prefix of a browser. */
const requestHeaders = { 'user-agent': 'Mozilla/5.0 (compatible; Pizarra)' };

/** The limits of the source are not published. This is one request a second. */
const spacingMs = 1_000;

/** The path of the chart of an instrument: its latest session, or its daily bars. */
function chartPath({ symbol }: YahooSymbol): string {
  return `/v8/finance/chart/${encodeURIComponent(symbol)}`;
}

/** The path of the latest session of several instruments, with its query. */
function sparkPath(symbols: readonly YahooSymbol[]): string {
  const names = symbols.map(({ symbol }) => encodeURIComponent(symbol)).join(',');
  return `/v7/finance/spark?symbols=${names}&range=1d&interval=1d`;
}

/**
 * Maps the chart of one instrument to the state of its latest session.
 *
 * @throws FeedFault `unintelligible` when the body is no chart of this instrument.
 */
export function mapChart(body: unknown, yahoo: YahooSymbol): FeedMessage {
  return messageOf([mapSession(readChart(body, yahoo), yahoo)]);
}

/**
 * Maps the charts of several instruments, each to the state of its latest session. Such a chart has no open.
 *
 * @throws FeedFault `unintelligible` when the body has no chart of any of these instruments.
 */
function mapSpark(body: unknown, symbols: readonly YahooSymbol[]): FeedMessage {
  const { result } = fieldsOf(asRecord(body)?.['spark']);
  const sent = new Map(
    listOf(result)
      .map(fieldsOf)
      .map(({ symbol, response }) => [symbol, listOf(response)[0]]),
  );
  if (symbols.every(({ symbol }) => !sent.has(symbol))) {
    throw new FeedFault('unintelligible', 'the source sent no chart of the requested symbols');
  }
  const mapped = symbols.map((yahoo) => {
    const { symbol } = yahoo;
    const chart = sent.get(symbol);
    // The source leaves out a symbol that it does not have.
    return chart === undefined ? reject('not-offered', symbol, symbol) : mapPart(chart, yahoo);
  });
  return messageOf(mapped);
}

/** One of several charts. If it is no chart of the instrument, the others are used all the same. */
function mapPart(chart: unknown, yahoo: YahooSymbol): Update | Rejected {
  const read = chartOf(chart, yahoo);
  return read === undefined
    ? reject('unintelligible', fieldsOf(chart)['meta'], yahoo.symbol)
    : mapSession(read, yahoo);
}

function mapSession({ meta, bars }: Chart, yahoo: YahooSymbol): Update | Rejected {
  const { ticker, symbol, hasVolume } = yahoo;
  const { regularMarketTime: time, regularMarketPrice: last, regularMarketVolume: volume } = meta;
  const rejection = (reason: 'bad-instant' | 'no-price' | 'not-traded'): Rejected =>
    reject(reason, { time, last, volume }, symbol);
  if (typeof time !== 'number' || !Number.isInteger(time) || time < earliestSeconds) {
    return rejection('bad-instant');
  }
  if (!isPrice(last)) return rejection('no-price');
  // An instrument that did not trade has the price of an earlier session.
  if (hasVolume && volume === 0) return rejection('not-traded');
  const { regularMarketDayHigh: high, regularMarketDayLow: low } = meta;
  const open = openOfSession(bars, { meta, time });
  return {
    ticker,
    at: time * 1_000,
    last,
    ...pricesOf({ open, high, low, volume: hasVolume ? volume : undefined }),
  };
}

/**
 * The daily bars of a chart, as traded, and its corporate actions. The source adjusts prices and volumes
 * for splits, which is undone with the splits of the chart. So the chart must reach to the present.
 *
 * @throws FeedFault `unintelligible` when the body is no chart of this instrument, or when one of its splits
 * cannot be read.
 */
function mapHistory(
  body: unknown,
  yahoo: YahooSymbol,
  { source, dateAt }: Pick<ChartOwner, 'source' | 'dateAt'>,
): { readonly bars: readonly SentBar[] } & ChartActions {
  const { bars: sent, events } = readChart(body, yahoo);
  const { ticker, symbol, currency } = yahoo;
  const read = actionsOfChart(events, { ticker, currency, source, dateAt });
  // Prices before the split may be divided by it, and cannot be told from those as traded.
  if (read.unread.some((path) => path.startsWith('events.splits.'))) {
    throw new FeedFault('unintelligible', `the source sent an unreadable split of ${symbol}`);
  }
  const bars = sent.map(({ time, volume, ...prices }) => ({
    ...prices,
    date: typeof time === 'number' ? dateAt(time * 1_000) : undefined,
    volume: yahoo.hasVolume ? volume : undefined,
  }));
  return { bars: asTraded(bars, read.actions.filter(isFactorAction)), ...read };
}

interface Chart {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly bars: readonly ChartBar[];
  readonly events: unknown;
}

/** No instant is earlier: placeholders are 0 or the year 0001. */
const earliestSeconds = Date.UTC(1990, 0, 1) / 1_000;

function readChart(body: unknown, yahoo: YahooSymbol): Chart {
  const { result } = fieldsOf(asRecord(body)?.['chart']);
  const [first] = listOf(result);
  if (asRecord(fieldsOf(first)['meta']) === undefined) {
    throw new FeedFault('unintelligible', `the source sent no chart of ${yahoo.symbol}`);
  }
  const chart = chartOf(first, yahoo);
  if (chart === undefined) {
    throw new FeedFault('unintelligible', `the source sent another security than ${yahoo.symbol}`);
  }
  return chart;
}

/** A chart of an instrument. Undefined for anything else, such as the chart of another security. */
function chartOf(sent: unknown, { symbol, currency }: YahooSymbol): Chart | undefined {
  const { meta, timestamp, indicators, events } = fieldsOf(sent);
  const known = asRecord(meta);
  if (known?.['symbol'] !== symbol || known['currency'] !== currency) return undefined;
  return { meta: known, bars: barsOfChart(timestamp, indicators), events };
}

/** The open of the bar that belongs to the same day as the latest price. */
function openOfSession(
  bars: readonly ChartBar[],
  { meta, time }: { readonly meta: Chart['meta']; readonly time: number },
): unknown {
  const offset = meta['gmtoffset'];
  const bar = bars.at(-1);
  if (bar === undefined || typeof bar.time !== 'number' || typeof offset !== 'number') {
    return undefined;
  }
  const marketDay = (seconds: number): number => Math.floor((seconds + offset) / 86_400);
  return marketDay(bar.time) === marketDay(time) ? bar.open : undefined;
}

/** US shares and ETFs, and shares, CEDEARs and the index of BYMA, of Yahoo Finance. */
export const yahooType = polledType({
  type: 'yahoo',
  staleAfterSeconds: 5_400,
  url: 'https://query2.finance.yahoo.com',
  pollSeconds: { usual: 900, min: 900 },
  closedPollSeconds: 14_400,
  spacingMs,
  // Shares of BYMA are 20 minutes late, others up to 15.
  delayMinutes: 20,
  offers: (instrument) => yahooSymbolOf(instrument) !== undefined,
  requests(instruments, config, { earlier }) {
    const symbols = newFirst(instruments, earlier).flatMap((one) => yahooSymbolOf(one) ?? []);
    const opens = new KnownOpens();
    const requestOf = (yahoo: YahooSymbol): PollRequest => {
      const url = new URL(chartPath(yahoo), config.url);
      url.search = 'range=1d&interval=1d&includePrePost=false';
      return {
        request: () => ({ url, headers: requestHeaders }),
        map: ({ json }) => opens.known(mapChart(json(), yahoo)),
      };
    };
    const sparks = chunksOf(symbols, symbolsPerRequest).map((some): PollRequest => ({
      request: () => ({ url: new URL(sparkPath(some), config.url), headers: requestHeaders }),
      map: ({ json }) => opens.wanted(mapSpark(json(), some)),
      instead: some.map(requestOf),
    }));
    // Another source gives the open of the other instruments.
    const alone = symbols.filter(({ ticker }) => earlier?.has(ticker) !== true);
    const charts = alone.map((yahoo) => ({
      ...requestOf(yahoo),
      isDue: () => opens.isDue(yahoo.ticker),
    }));
    return [...sparks, ...charts];
  },
  // As traded, with splits and dividends. A request reaches to the present whatever its last day, because the source
  // adjusts prices for all splits since.
  createHistory: dailyHistory({
    offers: (instrument) => yahooSymbolOf(instrument) !== undefined,
    spacingMs,
    // It answers 404 for a symbol that it does not have.
    refusesUnknown: true,
    async bars(request, config: PolledSourceConfig) {
      const { instrument, from, to, calendar, dateAt, now, read } = request;
      const yahoo = yahooSymbolOf(instrument);
      if (yahoo === undefined) return undefined;
      const url = new URL(chartPath(yahoo), config.url);
      const today = calendar.dateAt(now);
      const end = addDays(to > today ? to : today, 1);
      url.searchParams.set('period1', epochSeconds(calendar.startOfDay(from)));
      url.searchParams.set('period2', epochSeconds(calendar.startOfDay(end)));
      url.searchParams.set('interval', '1d');
      url.searchParams.set('includePrePost', 'false');
      url.searchParams.set('events', 'div,splits');
      const body = await read(url, requestHeaders);
      const { bars, actions, unread } = mapHistory(body, yahoo, { source: config.name, dateAt });
      return {
        bars: bars.filter(({ date }) => date === undefined || date <= to),
        rejected: unread.map((path) => reject('unintelligible', path)),
        actions,
      };
    },
  }),
});
