import {
  addDays,
  firstEpochDay,
  fromEpochDay,
  toEpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { msPerMinute, makeLiveBar, type Bar } from '../../domain/quotes/minute-bar.ts';
import { simulatedHistory, simulatedIndexValues } from '../../feeds/simulated/simulated-history.ts';
import { SimulatedMinutes } from '../../feeds/simulated/simulated-minutes.ts';
import type { ChangeStamp } from '../../store/contract/history-store.ts';
import type { Store } from '../../store/contract/store.ts';
import { DemonstrationBars } from './demonstration-bars.ts';
import type { QuoteSource } from '../../domain/quotes/quote.ts';
import { noReferences } from '../../domain/history/reference-closes.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';

interface DemonstrationParts {
  /** With markets that are open all day. */
  readonly universe: Universe;
  readonly seed: number;
  /** The source of the closes and of the quotes. */
  readonly source: string;
  /** In epoch milliseconds. */
  readonly now: number;
}

/**
 * Brings the store of a demonstration up to an instant, as if it had always been running: two years of closes,
 * the indices to which bonds refer, and the quotes of the current sessions. What it has already is left
 * unchanged. The first time takes one to two seconds.
 */
export async function fillDemonstration(store: Store, parts: DemonstrationParts): Promise<void> {
  const { universe, seed, source, now } = parts;
  await fillHistory(store, parts);
  await fillIndexValues(store, parts);
  const minutes = new SimulatedMinutes(universe, seed);
  const bars = new DemonstrationBars({
    stored: store.bars,
    history: store.history,
    minutes,
    startedAt: () => now,
  });
  await closeInterrupted(store, bars, parts);
  await seedQuotes(store, { universe, bars, source: { name: source, delayMinutes: 0 }, now });
}

async function fillHistory(
  store: Store,
  { universe, seed, source, now }: DemonstrationParts,
): Promise<void> {
  const calendars = new MarketCalendars(universe);
  const tickers = universe.instruments.map(({ ticker }) => ticker);
  const latest = await store.history.latestCloses(tickers);
  const isComplete = universe.instruments.every((instrument) => {
    const lastOver = toEpochDay(calendars.of(instrument).lastSessionOver(now, 0));
    return (latest.get(instrument.ticker)?.day ?? firstEpochDay) >= lastOver;
  });
  if (isComplete) return;
  await store.history.transaction(async (transaction) => {
    let written: Promise<void> | undefined;
    for (const { ticker, closes } of simulatedHistory(universe, { seed, until: now, source })) {
      // The store writes the closes of one instrument while those of the next one are computed.
      await written;
      // A recorded session may have ended with another price than the simulation of its close.
      const stored = latest.get(ticker)?.day ?? firstEpochDay;
      written = transaction.put(
        ticker,
        closes.filter(({ day }) => day > stored),
      );
    }
    await written;
  }, stampAt(now));
}

/** What is stored here is of the demonstration. */
function stampAt(now: number): ChangeStamp {
  return { origin: 'demonstration', now: () => now };
}

/** Adds the days that have been published since the demonstration stopped. */
async function fillIndexValues(
  { indices }: Store,
  { universe, seed, source, now }: DemonstrationParts,
): Promise<void> {
  const { revision, values } = await indices.readAll();
  const stored = new IndexSeries(revision, values);
  const published = indexNames.flatMap((index): readonly IndexValue[] => {
    const last = stored.extent(index)?.to;
    const from = last && addDays(fromEpochDay(last), 1);
    return simulatedIndexValues(universe, index, { seed, now, ...(from && { from }) }).map(
      (value) => ({ index, ...value, source }),
    );
  });
  if (published.length > 0) {
    await indices.apply({ put: published }, { at: now, origin: 'demonstration' });
  }
}

/**
 * Gives the last recorded session of each instrument, if the demonstration did not run until its end, the
 * close that its minutes have. Its own close would be that of the price at which the demonstration stopped.
 */
async function closeInterrupted(
  store: Store,
  bars: DemonstrationBars,
  { universe, source, now }: DemonstrationParts,
): Promise<void> {
  const calendars = new MarketCalendars(universe);
  const quotes = await store.quotes.readAll();
  const sessions = new Map(quotes.map(({ ticker, session }) => [ticker, session.sessionDate]));
  const closes = new Map<Ticker, DailyClose>();
  for (const instrument of universe.instruments) {
    const { ticker } = instrument;
    const day = await store.bars.latestBarDay(ticker);
    if (day === undefined) continue;
    const calendar = calendars.of(instrument);
    const date = fromEpochDay(day);
    const [opensAt, closesAt] = [calendar.opensAt(date), calendar.closesAt(date)];
    // An instrument with a quote of a later session has been through this.
    if (closesAt > now || sessions.get(ticker) !== date) continue;
    const range = { from: day, to: day };
    const recorded = await store.bars.readBars(ticker, range);
    if (recorded.length >= (closesAt - opensAt) / msPerMinute) continue;
    const figures = figuresOf(await bars.readBars(ticker, range));
    closes.set(ticker, { day, source, ...figures });
  }
  if (closes.size === 0) return;
  await store.history.transaction(async (transaction) => {
    for (const [ticker, close] of closes) await transaction.put(ticker, [close]);
  }, stampAt(now));
}

/**
 * Stores the quotes of a demonstration as if it had been running until an instant: each one has the open, the
 * range and the volume of the minutes of its session so far, and the bar of the last of them. So the first
 * update continues the session. Quotes that the feed continues without a gap stay: those of this minute and
 * of the one before.
 */
async function seedQuotes(
  store: Pick<Store, 'quotes'>,
  {
    universe,
    bars,
    source,
    now,
  }: {
    readonly universe: Universe;
    /** The minutes until now. */
    readonly bars: Pick<BarReader, 'readBars'>;
    readonly source: QuoteSource;
    /** In epoch milliseconds. */
    readonly now: number;
  },
): Promise<void> {
  const stored = await store.quotes.readAll();
  const quotesBefore = new Map(stored.map((quote) => [quote.ticker, quote]));
  let version = stored.reduce((latest, one) => Math.max(latest, one.version), 0);
  const continuedSince = (Math.floor(now / msPerMinute) - 1) * msPerMinute;
  const calendars = new MarketCalendars(universe);
  const quotes: StoredQuote[] = [];
  // One market after the other: the instruments of a market share the paths of their prices.
  const byMarket = universe.instruments.toSorted((a, b) => compare(a.market, b.market));
  for (const instrument of byMarket) {
    const { ticker } = instrument;
    const date = calendars.of(instrument).sessionAt(now);
    const before = quotesBefore.get(ticker);
    const held = before?.session;
    if (held !== undefined && held.sessionDate > date) continue;
    if (held?.sessionDate === date && (held.asOf ?? 0) >= continuedSince) continue;
    const day = toEpochDay(date);
    const seed = seedOf(date, await bars.readBars(ticker, { from: day, to: day }));
    const quote =
      seed === undefined
        ? withoutBar(before)
        : { ticker, references: noReferences, source, ...seed };
    if (quote === undefined) continue;
    version += 1;
    quotes.push({ ...quote, version });
  }
  if (quotes.length > 0) await store.quotes.commit({ quotes, closes: [] });
}

/** A session under way, from its minutes so far. Undefined in its first minute. */
function seedOf(
  sessionDate: PlainDate,
  bars: readonly Bar[],
): Pick<StoredQuote, 'session' | 'bar'> | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { open, high, low, close, volume } = figuresOf(bars);
  const session = {
    sessionDate,
    // The last millisecond of the minute: at midnight, the next one is of the next day.
    asOf: (last.minute + 1) * msPerMinute - 1,
    last: close,
    open,
    openAt: first.minute * msPerMinute,
    high,
    low,
    volume,
    isInHistory: false,
    historyClose: null,
  };
  const volumeFrom = (volume ?? 0) - (last.volume ?? 0);
  // The history of bars has it already.
  const bar = makeLiveBar({ ...last, volumeFrom, volumeTo: volume, isRecorded: true });
  return { session, bar };
}

/**
 * A quote of an earlier session without its bar under way. The minute of this bar is not whole, so the
 * computed one replaces it. Undefined when there is no such bar.
 */
function withoutBar(quote: StoredQuote | undefined): StoredQuote | undefined {
  return quote?.bar === undefined ? undefined : { ...quote, bar: undefined };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The daily figures of a session. */
export interface FiguresOfBars {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Null where the instrument has no volume. */
  readonly volume: number | null;
}

/**
 * The daily figures that the minutes of a session add up to.
 *
 * @param bars ascending, at least one.
 */
export function figuresOf(bars: readonly Bar[]): FiguresOfBars {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) throw new Error('no bar');
  return {
    open: first.open,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    close: last.last,
    volume: last.volume === null ? null : bars.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
  };
}
