import type { Ticker } from '../instruments/ticker.ts';

/**
 * What a source reports about one instrument at one instant. All fields but the ticker and the
 * instant are optional. An absent field means that the source did not report it, never zero.
 */
export interface Update {
  readonly ticker: Ticker;
  /** The instant that the source reports, in epoch milliseconds. */
  readonly at: number;
  readonly last?: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  readonly previousClose?: number;
  /**
   * The official close of the session of this instant, which is the last session that opened.
   * Unlike the other fields it is also accepted outside the session's hours (contract 2.6.5).
   */
  readonly close?: number;
  /** Nominal volume of the session so far, not of one trade. */
  readonly volume?: number;
  /** The best price of the buyers. */
  readonly bid?: number;
  /** The best price of the sellers. It may be below the bid, as in an auction. */
  readonly ask?: number;
  /** Nominal quantity at the bid. 0 means that there are no buyers. */
  readonly bidSize?: number;
  /** Nominal quantity at the ask. 0 means that there are no sellers. */
  readonly askSize?: number;
  /** Money traded in the session so far, in the currency of the instrument. */
  readonly amount?: number;
  /** Number of trades of the session so far. */
  readonly trades?: number;
}

/** Whether an update has a field of the book. */
export function hasBook(update: Update): boolean {
  return (
    update.bid !== undefined ||
    update.ask !== undefined ||
    update.bidSize !== undefined ||
    update.askSize !== undefined ||
    update.amount !== undefined ||
    update.trades !== undefined
  );
}

/** Whether an update has a field that every client gets: a price or the volume. */
export function hasPrices(update: Update): boolean {
  return (
    update.last !== undefined ||
    update.open !== undefined ||
    update.high !== undefined ||
    update.low !== undefined ||
    update.previousClose !== undefined ||
    update.close !== undefined ||
    update.volume !== undefined
  );
}
