import { roundHalfAwayFromZero } from '../../domain/values/rounding.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { Noise } from '../../lib/numbers/noise.ts';
import type { BookOfUpdate } from '../shapes/book-fields.ts';
import type { SimulatedPrice } from './simulated-market.ts';

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
