import { isUnitAction } from '../../domain/corporate-action.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { Update } from '../../domain/update.ts';
import { asRecord, fieldsOf, isPrice } from '../as-record.ts';
import { actionsOfChart } from '../chart-events.ts';
import type { ChartActions, ChartOwner } from '../chart-events.ts';
import { FeedFault } from '../feed.ts';
import type { FeedBatch } from '../feed.ts';
import type { SentBar } from '../net/daily-bars.ts';
import { reject } from '../sample.ts';
import { usSymbolOf } from '../us-symbols.ts';
import { asTraded } from './as-traded.ts';

/** What the source calls an instrument. */
export interface YahooSymbol {
  readonly ticker: Ticker;
  readonly symbol: string;
  /** The currency that the source must report. Any other is a different security. */
  readonly currency: 'ARS' | 'USD';
  /** The source reports a volume of 0 for indices. */
  readonly hasVolume: boolean;
}

/** The indices. */
const indices: Readonly<Record<string, string>> = { MERVAL: '^MERV' };

/**
 * The symbol of an instrument; undefined where the source is not known to have it. Classes in dollars
 * and the tickers of BYMA with a dot (`BA.C`, `BMA.D`) are left out, because their symbols are not
 * known.
 */
export function yahooSymbolOf(instrument: Instrument): YahooSymbol | undefined {
  const { ticker, kind, market, currency } = instrument;
  const usSymbol = usSymbolOf(instrument);
  if (usSymbol !== undefined) {
    const symbol = usSymbol.replaceAll('.', '-');
    return { ticker, symbol, currency: 'USD', hasVolume: true };
  }
  if (market !== 'BYMA' || currency !== 'ARS') return undefined;
  const index = kind === 'index' ? indices[ticker] : undefined;
  if (index !== undefined) return { ticker, symbol: index, currency: 'ARS', hasVolume: false };
  if ((kind !== 'share' && kind !== 'cedear') || ticker.includes('.')) return undefined;
  return { ticker, symbol: `${ticker}.BA`, currency: 'ARS', hasVolume: true };
}

/** The path of the chart of an instrument: its latest session, or its daily bars. */
export function chartPath({ symbol }: YahooSymbol): string {
  return `/v8/finance/chart/${encodeURIComponent(symbol)}`;
}

/**
 * Maps the chart of one instrument to the state of its latest session.
 *
 * @throws FeedFault `unintelligible` when the body is no chart of this instrument.
 */
export function mapChart(body: unknown, yahoo: YahooSymbol): Omit<FeedBatch, 'failed'> {
  const { meta, bars } = readChart(body, yahoo);
  const { ticker, symbol, hasVolume } = yahoo;
  const { regularMarketTime: time, regularMarketPrice: last, regularMarketVolume: volume } = meta;
  const rejection = (reason: 'bad-instant' | 'no-price' | 'not-traded') => ({
    updates: [],
    rejected: [reject(reason, { time, last, volume }, symbol)],
  });
  if (typeof time !== 'number' || !Number.isInteger(time) || time < earliestSeconds) {
    return rejection('bad-instant');
  }
  if (!isPrice(last)) return rejection('no-price');
  // An instrument that did not trade has the price of an earlier session.
  if (hasVolume && volume === 0) return rejection('not-traded');
  const { regularMarketDayHigh: high, regularMarketDayLow: low } = meta;
  const open = openOfSession(bars, { meta, time });
  const update: Update = {
    ticker,
    at: time * 1_000,
    last,
    ...(isPrice(open) ? { open } : {}),
    ...(isPrice(high) ? { high } : {}),
    ...(isPrice(low) ? { low } : {}),
    ...(hasVolume && typeof volume === 'number' && volume > 0 ? { volume } : {}),
  };
  return { updates: [update], rejected: [] };
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

function readChart(body: unknown, { symbol, currency }: YahooSymbol): Chart {
  const { result } = fieldsOf(asRecord(body)?.['chart']);
  const [first] = Array.isArray(result) ? (result as readonly unknown[]) : [];
  const { meta, timestamp, indicators, events } = fieldsOf(first);
  const known = asRecord(meta);
  if (known === undefined) {
    throw new FeedFault('unintelligible', `the source sent no chart of ${symbol}`);
  }
  if (known['symbol'] !== symbol || known['currency'] !== currency) {
    throw new FeedFault('unintelligible', `the source sent another security than ${symbol}`);
  }
  return { meta: known, bars: readBars(timestamp, indicators), events };
}

/** A list for each field, of equal length. A day without trades has null in each. */
function readBars(timestamp: unknown, indicators: unknown): readonly ChartBar[] {
  const [quote] = listOf(asRecord(indicators)?.['quote']);
  const fields = fieldsOf(quote);
  const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) =>
    listOf(fields[name]).map(shortestPrice),
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

/** The maximum number of digits that a number of 32 bits needs. */
const digitsMax = 9;

/**
 * The source computes the prices of bars in 32 bits: 216.54 is sent as 216.5399932861328. Returns the
 * shortest decimal of the same number of 32 bits, and any other value as it is.
 */
function shortestPrice(value: unknown): unknown {
  if (typeof value !== 'number' || Math.fround(value) !== value) return value;
  for (let digits = 1; digits < digitsMax; digits += 1) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return value;
}
