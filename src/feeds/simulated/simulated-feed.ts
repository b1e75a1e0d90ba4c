import { setTimeout as sleep } from 'node:timers/promises';
import type { Instrument } from '../../domain/instrument.ts';
import type { Universe } from '../../domain/universe.ts';
import type { Update } from '../../domain/update.ts';
import type { Clock } from '../../lib/clock.ts';
import { Noise } from '../../lib/noise.ts';
import type { SimulatedFeedConfig } from '../feed-config.ts';
import type { Feed } from '../feed.ts';
import { SimulatedMarket } from './simulated-market.ts';

/** How often a batch is made. */
const batchIntervalMs = 200;

/** After a standstill (a slow disk, a machine asleep), no more than so much is made up for. */
const catchUpMsMax = 1_000;

/** What a simulated feed is made of, besides its configuration. */
export interface SimulatedDeps {
  readonly universe: Universe;
  readonly clock: Clock;
  /** Waits in real time; rejects when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Makes up prices for a demonstration. First every instrument that trades speaks once, then some of
 * them, picked by the seed, in each batch. Nothing is said of a market that is closed, unless the
 * configuration has it always open; and nothing of derived instruments, which follow by themselves.
 */
export function createSimulatedFeed(config: SimulatedFeedConfig, deps: SimulatedDeps): Feed {
  const { name, staleAfterMs, markets } = config;
  return {
    name,
    staleAfterMs,
    markets,
    batches: (signal) => simulate(config, deps, signal),
  };
}

async function* simulate(
  { seed, updatesPerSecond, alwaysOpen }: SimulatedFeedConfig,
  { universe, clock, pause = pauseInRealTime }: SimulatedDeps,
  signal: AbortSignal,
): AsyncIterable<readonly Update[]> {
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
    yield [...speaking].map((one) => updateOf(market, one, now));
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

function pauseInRealTime(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}
