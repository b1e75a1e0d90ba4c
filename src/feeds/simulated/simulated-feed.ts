import type { Instrument } from '../../domain/instrument.ts';
import type { Update } from '../../domain/update.ts';
import { Noise } from '../../lib/noise.ts';
import { sourceOf } from '../feed-type.ts';
import type { FeedDeps } from '../feed-type.ts';
import type { Feed, FeedBatch } from '../feed.ts';
import type { SimulatedConfig } from './simulated-config.ts';
import { SimulatedMarket } from './simulated-market.ts';

/** How often a batch is made. */
const batchIntervalMs = 200;

/** After a standstill (a slow disk, a machine asleep), no more than so much is made up for. */
const catchUpMsMax = 1_000;

/** What a simulated feed is built from, besides its configuration. */
type SimulatedDeps = Pick<FeedDeps, 'universe' | 'clock' | 'pause'>;

/**
 * Makes up prices for a demonstration. First every instrument that trades speaks once, then some of
 * them, picked by the seed, in each batch. Nothing is said of a market that is closed, unless the
 * configuration has it always open; and nothing of derived instruments, which follow by themselves.
 */
export function createSimulatedFeed(config: SimulatedConfig, deps: SimulatedDeps): Feed {
  return { ...sourceOf(config), batches: (signal) => simulate(config, deps, signal) };
}

async function* simulate(
  { seed, updatesPerSecond, alwaysOpen }: SimulatedConfig,
  { universe, clock, pause }: SimulatedDeps,
  signal: AbortSignal,
): AsyncIterable<FeedBatch> {
  const market = new SimulatedMarket(universe, seed);
  const picks = new Noise(seed, 'picks');
  let picked = 0;
  let due = 0;
  let before = clock.now();
  let isFirst = true;
  while (!signal.aborted) {
    const now = clock.now();
    const trading = market.instruments.filter(
      (one) => alwaysOpen || market.calendarOf(one).stateAt(now) === 'open',
    );
    due += (Math.min(Math.max(now - before, 0), catchUpMsMax) * updatesPerSecond) / 1000;
    before = now;
    const speaking = isFirst ? new Set(trading) : new Set<Instrument>();
    for (; due >= 1; due -= 1) {
      const one = trading[Math.floor(picks.uniform(picked) * trading.length)];
      picked += 1;
      if (one !== undefined) speaking.add(one);
    }
    isFirst = false;
    yield { updates: [...speaking].map((one) => updateOf(market, one, now)), rejected: [] };
    try {
      await pause(batchIntervalMs, signal);
    } catch (fault) {
      if (signal.aborted) return;
      throw fault;
    }
  }
}

function updateOf(market: SimulatedMarket, instrument: Instrument, at: number): Update {
  const { last, volume } = market.at(instrument, at);
  return { ticker: instrument.ticker, at, last, ...(volume === undefined ? {} : { volume }) };
}
