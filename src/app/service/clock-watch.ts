import type { Clock } from '../../lib/clock.ts';

/** Less than this is what keeping a clock right does all the time, in ms. */
const jumpMsMin = 2_000;

/**
 * Notices when the wall clock is set, by holding it against one that cannot be. A machine that was
 * suspended looks the same.
 */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #onJump: (ms: number) => void;
  #offsetMs: number;

  constructor(deps: {
    readonly clock: Clock;
    /** Told by how much the wall clock went ahead; negative when it went back. */
    readonly onJump: (ms: number) => void;
  }) {
    this.#clock = deps.clock;
    this.#onJump = deps.onJump;
    this.#offsetMs = this.#offset();
  }

  /** Compares the clocks; to be called every now and then. */
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
