import type { Instrument } from '../../domain/instruments/instrument.ts';
import { openAllDay } from '../../domain/instruments/open-all-day.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { Noise } from '../../lib/numbers/noise.ts';
import { sourceOf } from '../contract/feed-type.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import type { Feed, FeedBatch } from '../contract/feed.ts';
import type { SimulatedConfig } from './simulated-config.ts';
import { SimulatedBooks } from './simulated-book.ts';
import { SimulatedMarket } from './simulated-market.ts';

/** The interval between batches. */
const batchIntervalMs = 200;

/** Maximum time whose updates are made up for after a pause (a slow disk, a suspended machine). */
const catchUpMsMax = 1_000;

/** What a simulated feed is built from, besides its configuration. */
type SimulatedDeps = Pick<FeedDeps, 'universe' | 'clock' | 'pause'>;

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
  { universe, clock, pause }: SimulatedDeps,
  signal: AbortSignal,
): AsyncIterable<FeedBatch> {
  const market = new SimulatedMarket(alwaysOpen ? openAllDay(universe) : universe, seed);
  const books = new SimulatedBooks(seed);
  const picks = new Noise(seed, 'picks');
  let picked = 0;
  let due = 0;
  let before = clock.now();
  let isFirst = true;
  while (!signal.aborted) {
    const now = clock.now();
    const trading = market.instruments.filter(
      (one) => market.calendarOf(one).stateAt(now) === 'open',
    );
    due += (Math.min(Math.max(now - before, 0), catchUpMsMax) * updatesPerSecond) / 1000;
    before = now;
    const updated = isFirst ? new Set(trading) : new Set<Instrument>();
    for (; due >= 1; due -= 1) {
      const one = trading[Math.floor(picks.uniform(picked) * trading.length)];
      picked += 1;
      if (one !== undefined) updated.add(one);
    }
    isFirst = false;
    yield {
      updates: [...updated].map((one) => updateOf({ market, books }, one, now)),
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

function updateOf(
  { market, books }: { readonly market: SimulatedMarket; readonly books: SimulatedBooks },
  instrument: Instrument,
  at: number,
): Update {
  const price = market.at(instrument, at);
  const { last, volume } = price;
  const shown = { ticker: instrument.ticker, at, last };
  if (volume === undefined) return shown;
  return { ...shown, volume, ...books.at(instrument, price, at) };
}
