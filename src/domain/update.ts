import type { Ticker } from './ticker.ts';

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
}
