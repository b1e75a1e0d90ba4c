import type { Clock } from '../../lib/time/clock.ts';
import type { Compression } from './compress.ts';

/**
 * Allows compressed forms of a body once they have been asked for before: one that is requested once is not
 * worth them.
 */
export function ifAskedAgain(): () => boolean {
  let wasAsked = false;
  return () => {
    const isWorthIt = wasAsked;
    wasAsked = true;
    return isWorthIt;
  };
}

/** Minimum time between two compressed forms of a selection in one encoding, in milliseconds. */
const compressionPauseMs = 100;

/**
 * Limits the cost of compression where a body changes often: at most ten compressed forms a second for
 * each encoding of a selection. The bodies in between are sent uncompressed.
 */
export class CompressionPace {
  readonly #clock: Clock;
  readonly #last = new Map<Compression, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a compressed form may be made now. If so, the next one has to wait. */
  allows(coding: Compression): boolean {
    const now = this.#clock.now();
    // The absolute distance: a clock that was set back must not stop compression for long.
    const last = this.#last.get(coding);
    if (last !== undefined && Math.abs(now - last) < compressionPauseMs) return false;
    this.#last.set(coding, now);
    return true;
  }
}
