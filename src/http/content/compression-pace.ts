import type { Clock } from '../../lib/clock.ts';
import type { Compression } from './compress.ts';

/** How long a body that changes must wait for its next compressed form. */
const compressionPauseMs = 100;

/**
 * Bounds what compressing costs where a body changes faster than anyone can read: ten times a second
 * for each coding of a selection. The bodies in between are answered as they are.
 */
export class CompressionPace {
  readonly #clock: Clock;
  readonly #last = new Map<Compression, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it is time again, and from now on no more for a while. */
  allows(coding: Compression): boolean {
    const now = this.#clock.now();
    // The distance counts both ways: a clock that was set back must not stop compression for long.
    const last = this.#last.get(coding);
    if (last !== undefined && Math.abs(now - last) < compressionPauseMs) return false;
    this.#last.set(coding, now);
    return true;
  }
}
