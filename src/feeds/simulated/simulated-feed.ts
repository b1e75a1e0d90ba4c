import type { Instrument } from '../../domain/instruments/instrument.ts';
import { openAllDay } from '../../domain/instruments/open-all-day.ts';
import { msPerMinute } from '../../domain/quotes/minute-bar.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { Noise } from '../../lib/numbers/noise.ts';
import { sourceOf, type FeedDeps } from '../contract/feed-type.ts';
import type { Feed, FeedBatch } from '../contract/feed.ts';
import type { SimulatedConfig } from './simulated-config.ts';
import { SimulatedBooks } from './simulated-book.ts';
import { SimulatedMarket, type SimulatedPrice } from './simulated-market.ts';

/** The interval between batches. */
const batchIntervalMs = 200;

/** Maximum time whose updates are made up for after a pause (a slow disk, a suspended machine). */
const catchUpMsMax = 1_000;

/** What a simulated feed is built from, besides its configuration. */
interface SimulatedDeps extends Pick<FeedDeps, 'universe' | 'clock' | 'pause'> {
  /**
   * Whether each minute ends, and each session begins, with an update of every open instrument. Then
   * every minute has a bar that ends where the computed next minute begins, and the board changes its
   * session at once. The default is false.
   */
  readonly hasWholeMinutes?: boolean;
}

/**
 * Simulates prices for a demonstration. The first batch has an update of every instrument whose
 * market is open. Each further batch has updates of some of them, chosen by the seed. Instruments
 * of closed markets have no updates. With `alwaysOpen`, no market ever closes. Derived instruments have
 * none, because the engine computes them.
 */
export function createSimulatedFeed(config: SimulatedConfig, deps: SimulatedDeps): Feed {
  return { ...sourceOf(config), batches: (signal) => simulate(config, deps, signal) };
}

async function* simulate(
  { seed, updatesPerSecond, alwaysOpen }: SimulatedConfig,
  { universe, clock, pause, hasWholeMinutes = false }: SimulatedDeps,
  signal: AbortSignal,
): AsyncIterable<FeedBatch> {
  const market = new SimulatedMarket(alwaysOpen ? openAllDay(universe) : universe, seed);
  const books = new SimulatedBooks(seed);
  const picks = new Noise(seed, 'picks');
  let picked = 0;
  let due = 0;
  let before = clock.now();
  let minuteBefore = -Infinity;
  while (!signal.aborted) {
    const now = clock.now();
    const trading = market.instruments.filter(
      (one) => market.calendarOf(one).stateAt(now) === 'open',
    );
    due += (Math.min(Math.max(now - before, 0), catchUpMsMax) * updatesPerSecond) / 1000;
    before = now;
    const minute = Math.floor(now / msPerMinute);
    const isNewMinute = hasWholeMinutes && minute > minuteBefore;
    const begun = isNewMinute ? trading.filter((one) => begins(market, one, minute)) : [];
    // After a gap, a session that is over keeps the close that history has.
    const isContinued = minute <= minuteBefore + 1;
    const ending = isNewMinute ? openIn(market, minute - 1) : [];
    const ended = isContinued ? ending : ending.filter((one) => !begun.includes(one));
    const updated = new Set(minuteBefore === -Infinity ? trading : begun);
    for (; due >= 1; due -= 1) {
      const one = trading[Math.floor(picks.uniform(picked) * trading.length)];
      picked += 1;
      if (one !== undefined) updated.add(one);
    }
    minuteBefore = minute;
    const endAt = minute * msPerMinute - 1;
    yield {
      updates: [
        ...ended.map((one) => updateOf(one, market.atEndOf(one, minute - 1), { books, at: endAt })),
        ...[...updated].map((one) => updateOf(one, market.at(one, now), { books, at: now })),
      ],
      rejected: [],
    };
    try {
      await pause(batchIntervalMs, signal);
    } catch (fault) {
      if (signal.aborted) return;
      throw fault;
    }
  }
}

/** The instruments whose market is open in a minute. */
function openIn(market: SimulatedMarket, minute: number): readonly Instrument[] {
  const at = minute * msPerMinute;
  return market.instruments.filter((one) => market.calendarOf(one).stateAt(at) === 'open');
}

/** Whether a session of an instrument begins with a minute. */
function begins(market: SimulatedMarket, instrument: Instrument, minute: number): boolean {
  const calendar = market.calendarOf(instrument);
  const at = minute * msPerMinute;
  return calendar.sessionAt(at) !== calendar.sessionAt(at - 1);
}

function updateOf(
  instrument: Instrument,
  price: SimulatedPrice,
  { books, at }: { readonly books: SimulatedBooks; readonly at: number },
): Update {
  const { last, volume } = price;
  const shown = { ticker: instrument.ticker, at, last };
  if (volume === undefined) return shown;
  return { ...shown, volume, ...books.at(instrument, price, at) };
}
