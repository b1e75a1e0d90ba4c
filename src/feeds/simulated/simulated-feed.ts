import * as v from '@badrap/valita';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { openAllDay } from '../../domain/instruments/open-all-day.ts';
import { msPerMinute } from '../../domain/quotes/minute-bar.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { roundHalfAwayFromZero } from '../../domain/values/rounding.ts';
import { Noise } from '../../lib/numbers/noise.ts';
import { type FeedDeps, sourceOf } from '../contract/feed-type.ts';
import type { Feed, FeedBatch } from '../contract/feed.ts';
import {
  booleanField,
  commonFields,
  integerField,
  numberField,
  optional,
} from '../contract/fields.ts';
import type { BookOfUpdate } from '../shapes/book-fields.ts';
import { SimulatedMarket, type SimulatedPrice } from './simulated-market.ts';

/** The maximum number of updates a second that the simulation generates. */
const updatesPerSecondMax = 10_000;

export const simulatedSchema = v.object({
  ...commonFields('simulated', { staleAfterSeconds: 60 }),
  seed: optional(integerField({ min: 0, max: 0xff_ff_ff_ff }), 1),
  /** Over the whole universe. */
  updatesPerSecond: optional(numberField({ min: 0.1, max: updatesPerSecondMax }), 50),
  /** Whether all markets are open all day, every day. */
  alwaysOpen: optional(booleanField(), false),
});

/** A simulated market. */
export type SimulatedConfig = v.Infer<typeof simulatedSchema>;

/** How often a book changes, in milliseconds. Its instruments change at different times. */
const bookMs = 2_000;

/** The usual spread, as a part of the price. */
const spread = 0.0015;

/** The volume so far, divided by this, is the smallest size of a side. */
const volumePerLot = 4_000;

/**
 * Invents the books of a demonstration. A book is a function of the seed, the price and the instant
 * alone, as the price is. Only instruments with a volume have one.
 */
export class SimulatedBooks {
  readonly #noise: Noise;

  constructor(seed: number) {
    this.#noise = new Noise(seed, 'books');
  }

  /** The book around a price. Undefined for an instrument without a volume. */
  at(
    { position, decimals, pricePer }: Instrument,
    { last, volume }: SimulatedPrice,
    epochMs: number,
  ): BookOfUpdate | undefined {
    if (volume === undefined) return undefined;
    const step = Math.floor(epochMs / bookMs + this.#noise.uniform(position));
    const draw = (what: number): number => this.#noise.uniform(position, step * 4 + what);
    const tick = tickOf(last, decimals);
    const bid = priceOn(tick, last * (1 - spread * draw(0)), Math.floor);
    const ask = priceOn(tick, last * (1 + spread * draw(1)), Math.ceil);
    const lot = 1 + Math.floor(volume / volumePerLot);
    const sizeOf = (what: number): number => Math.ceil(lot * 20 ** draw(what));
    return {
      bid: Math.max(bid, tick),
      ask: ask > bid ? ask : roundHalfAwayFromZero(ask + tick, 8),
      bidSize: sizeOf(2),
      askSize: sizeOf(3),
      amount: roundHalfAwayFromZero((volume * last) / pricePer, 2),
      trades: Math.ceil(Math.sqrt(volume)),
    };
  }
}

/** The step of prices: five significant digits, as simulated prices have. */
function tickOf(last: number, decimals: number): number {
  const digits = Math.floor(Math.log10(last));
  return Number(`1e${Math.max(digits - 4, -decimals)}`);
}

function priceOn(tick: number, price: number, round: (steps: number) => number): number {
  return roundHalfAwayFromZero(round(price / tick) * tick, 8);
}

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
