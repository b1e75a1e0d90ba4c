import {
  addDays,
  firstEpochDay,
  fromEpochDay,
  toEpochDay,
} from '../../domain/calendar/plain-date.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { msPerMinute } from '../../domain/quotes/minute-bar.ts';
import { simulatedHistory } from '../../feeds/simulated/simulated-history.ts';
import { simulatedIndexValues } from '../../feeds/simulated/simulated-index-values.ts';
import { SimulatedMinutes } from '../../feeds/simulated/simulated-minutes.ts';
import type { ChangeStamp } from '../../store/contract/history-store.ts';
import type { Store } from '../../store/contract/store.ts';
import { DemonstrationBars } from './demonstration-bars.ts';
import { figuresOf } from './figures-of-bars.ts';
import { seedQuotes } from './seed-quotes.ts';

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
    startedAt: now,
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
    await indices.put(published, { at: now, origin: 'demonstration' });
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
