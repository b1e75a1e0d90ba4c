import type { Ticker } from './ticker.ts';

/**
 * What a feed reports about one instrument at one instant. Everything but the ticker and the instant
 * may be absent, and absent means that the source did not report it: never zero.
 */
export interface Update {
  readonly ticker: Ticker;
  /** The source's own instant, in epoch milliseconds. */
  readonly at: number;
  readonly last?: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  readonly previousClose?: number;
  /**
   * The official close of the session of this instant, which is the last session that opened. Unlike
   * the other fields it is taken outside the session's hours too (decisions row 31).
   */
  readonly close?: number;
  /** Nominal of the session so far, not of one trade. */
  readonly volume?: number;
}
