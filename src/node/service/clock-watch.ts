import type { Clock } from '../../lib/time/clock.ts';

/** Minimum size of a jump, in milliseconds. Time synchronisation makes smaller corrections. */
const jumpMsMin = 2_000;

/**
 * Detects that the wall clock was set, by comparison with the monotonic clock. The suspension of the
 * machine has the same effect.
 */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #onJump: (ms: number) => void;
  #offsetMs: number;

  constructor(deps: {
    readonly clock: Clock;
    /** Receives the size of the jump, in milliseconds. It is negative when the wall clock went back. */
    readonly onJump: (ms: number) => void;
  }) {
    this.#clock = deps.clock;
    this.#onJump = deps.onJump;
    this.#offsetMs = this.#offset();
  }

  /** Compares the clocks. The caller repeats this periodically. */
  look(): void {
    const offset = this.#offset();
    const jumpMs = offset - this.#offsetMs;
    this.#offsetMs = offset;
    if (Math.abs(jumpMs) >= jumpMsMin) this.#onJump(Math.round(jumpMs));
  }

  #offset(): number {
    return this.#clock.now() - this.#clock.monotonic();
  }
}
