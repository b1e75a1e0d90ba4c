/** A node whose clock differs from that of the database by more than this does not write, in milliseconds. */
export const clockMsMax = 2_000;

/** One reading of the clock of the database. */
export interface ClockReading {
  /** The clock of the database, in epoch milliseconds. */
  readonly databaseMs: number;
  /** The own wall clock when the response arrived, in epoch milliseconds. */
  readonly ownMs: number;
  /** Time from the request to the response, in milliseconds of the monotonic clock. */
  readonly tripMs: number;
}

/**
 * How much the wall clock of a node differs from that of the database. A writer whose clock is late refuses
 * every update as being of the future, and one whose clock is early accepts updates of the future.
 *
 * The database read its clock at some time between the request and the response, so a reading is exact to half
 * of the round trip. The result changes only when this is proven: {@link isOff} becomes true when the clocks
 * differ by more than the limit at least, and false when they differ by no more than the limit at most. So a
 * slow network is not taken for a wrong clock.
 */
export class ClockDifference {
  #ms: number | undefined;
  #isOff = false;

  /** The latest estimate, in milliseconds; positive if the own clock is ahead. Undefined before a reading. */
  get ms(): number | undefined {
    return this.#ms;
  }

  /** Whether the clocks differ by more than {@link clockMsMax}. */
  get isOff(): boolean {
    return this.#isOff;
  }

  read({ databaseMs, ownMs, tripMs }: ClockReading): void {
    const half = tripMs / 2;
    this.#ms = ownMs - half - databaseMs;
    const size = Math.abs(this.#ms);
    if (size - half > clockMsMax) this.#isOff = true;
    else if (size + half <= clockMsMax) this.#isOff = false;
  }
}

/** The difference for people, such as `3600.0 s behind`. */
export function differenceText(ms: number): string {
  return `${(Math.abs(ms) / 1_000).toFixed(1)} s ${ms < 0 ? 'behind' : 'ahead of'}`;
}
