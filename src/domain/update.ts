import type { Ticker } from './ticker.ts';

/**
 * What a feed says about one instrument at one instant. Everything but the ticker and the instant
 * may be absent, and absent means that the source did not say: never zero.
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
  /** Nominal of the session so far, not of one trade. */
  readonly volume?: number;
}
