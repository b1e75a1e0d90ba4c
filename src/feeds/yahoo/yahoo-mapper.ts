import { isUnitAction } from '../../domain/history/corporate-action.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { shortestOf32Bits } from '../../lib/numbers/shortest-of-32-bits.ts';
import { asRecord, fieldsOf, isPrice } from '../shapes/as-record.ts';
import { actionsOfChart, type ChartActions, type ChartOwner } from '../shapes/chart-events.ts';
import { FeedFault, type FeedMessage, type Rejected } from '../contract/feed.ts';
import type { SentBar } from '../net/daily-bars.ts';
import { reject } from '../contract/sample.ts';
import type { YahooSymbol } from '../shapes/yahoo-symbols.ts';
import { asTraded } from './as-traded.ts';

/** The path of the chart of an instrument: its latest session, or its daily bars. */
export function chartPath({ symbol }: YahooSymbol): string {
  return `/v8/finance/chart/${encodeURIComponent(symbol)}`;
}

/** The path of the latest session of several instruments, with its query. */
export function sparkPath(symbols: readonly YahooSymbol[]): string {
  const names = symbols.map(({ symbol }) => encodeURIComponent(symbol)).join(',');
  return `/v7/finance/spark?symbols=${names}&range=1d&interval=1d`;
}

/**
 * Maps the chart of one instrument to the state of its latest session.
 *
 * @throws FeedFault `unintelligible` when the body is no chart of this instrument.
 */
export function mapChart(body: unknown, yahoo: YahooSymbol): FeedMessage {
  const mapped = mapSession(readChart(body, yahoo), yahoo);
  return 'reason' in mapped
    ? { updates: [], rejected: [mapped] }
    : { updates: [mapped], rejected: [] };
}

/**
 * Maps the charts of several instruments, each to the state of its latest session. Such a chart has no open.
 *
 * @throws FeedFault `unintelligible` when the body has no chart of any of these instruments.
 */
export function mapSpark(body: unknown, symbols: readonly YahooSymbol[]): FeedMessage {
  const { result } = fieldsOf(asRecord(body)?.['spark']);
  const sent = new Map(
    listOf(result)
      .map(fieldsOf)
      .map(({ symbol, response }) => [symbol, listOf(response)[0]]),
  );
  const updates: Update[] = [];
  const rejected: Rejected[] = [];
  for (const yahoo of symbols) {
    const { symbol } = yahoo;
    const chart = sent.get(symbol);
    // The source leaves out a symbol that it does not have.
    const mapped =
      chart === undefined ? reject('not-offered', symbol, symbol) : mapPart(chart, yahoo);
    if ('reason' in mapped) rejected.push(mapped);
    else updates.push(mapped);
  }
  if (symbols.every(({ symbol }) => !sent.has(symbol))) {
    throw new FeedFault('unintelligible', 'the source sent no chart of the requested symbols');
  }
  return { updates, rejected };
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
    ...(isPrice(open) ? { open } : {}),
    ...(isPrice(high) ? { high } : {}),
    ...(isPrice(low) ? { low } : {}),
    ...(hasVolume && typeof volume === 'number' && volume > 0 ? { volume } : {}),
  };
}

/**
 * The daily bars of a chart, as traded, and its corporate actions. The source adjusts prices and volumes
 * for splits, which is undone with the splits of the chart. So the chart must reach to the present.
 *
 * @throws FeedFault `unintelligible` when the body is no chart of this instrument, or when one of its splits
 * cannot be read.
 */
export function mapHistory(
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
  return { bars: asTraded(bars, read.actions.filter(isUnitAction)), ...read };
}

interface ChartBar {
  readonly time: unknown;
  readonly open: unknown;
  readonly high: unknown;
  readonly low: unknown;
  readonly close: unknown;
  readonly volume: unknown;
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
  return { meta: known, bars: readBars(timestamp, indicators), events };
}

/** A list for each field, of equal length. A day without trades has null in each. */
function readBars(timestamp: unknown, indicators: unknown): readonly ChartBar[] {
  const [quote] = listOf(asRecord(indicators)?.['quote']);
  const fields = fieldsOf(quote);
  const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) =>
    listOf(fields[name]).map(shortestOf32Bits),
  );
  const volume = listOf(fields['volume']);
  return listOf(timestamp).map((time, index) => ({
    time,
    open: open?.[index],
    high: high?.[index],
    low: low?.[index],
    close: close?.[index],
    volume: volume[index],
  }));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
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
  const dayOf = (seconds: number): number => Math.floor((seconds + offset) / 86_400);
  return dayOf(bar.time) === dayOf(time) ? bar.open : undefined;
}
