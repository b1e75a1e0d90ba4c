import { setTimeout as sleep } from 'node:timers/promises';
import type { Instrument } from '../../domain/instrument.ts';
import type { Universe } from '../../domain/universe.ts';
import type { Update } from '../../domain/update.ts';
import type { Clock } from '../../lib/clock.ts';
import { Noise } from '../../lib/noise.ts';
import type { SimulatedFeedConfig } from '../feed-config.ts';
import type { Feed } from '../feed.ts';
import { SimulatedMarket } from './simulated-market.ts';

/** The interval between batches. */
const batchIntervalMs = 200;

/** Maximum time whose updates are made up for after a pause (a slow disk, a suspended machine). */
const catchUpMsMax = 1_000;

/** The collaborators of a simulated feed. */
export interface SimulatedDeps {
  readonly universe: Universe;
  readonly clock: Clock;
  /** Waits in real time; rejects when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Simulates prices for a demonstration. The first batch has an update of every instrument whose
 * market is open. Each further batch has updates of some of them, chosen by the seed. Instruments
 * of closed markets have no updates unless the configuration sets `alwaysOpen`. Derived instruments
 * have none, because the engine computes them.
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
    const updated = isFirst ? new Set(trading) : new Set<Instrument>();
    for (; due >= 1; due -= 1) {
      const one = trading[Math.floor(picks.uniform(picked) * trading.length)];
      picked += 1;
      if (one !== undefined) updated.add(one);
    }
    isFirst = false;
    yield [...updated].map((one) => updateOf(market, one, now));
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
