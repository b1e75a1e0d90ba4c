/** Resolution of a use, in milliseconds. One hour is enough to find keys that are no longer used. */
const resolutionMs = 3_600_000;

/** A key that was used, and the start of the hour in which it was used, in epoch milliseconds. */
export interface NotedUse {
  readonly id: string;
  readonly at: number;
}

/**
 * Which keys were used, by the hour. Noting a use costs one look-up. Only the first use of a key in
 * an hour becomes pending. The owner takes the pending uses periodically and stores them. There is at
 * most one entry for each key that was used.
 */
export class KeyUses {
  readonly #hours = new Map<string, number>();
  #pending = new Map<string, number>();

  /** Notes that a key was used now, in epoch milliseconds. */
  note(id: string, now: number): void {
    const hour = Math.floor(now / resolutionMs) * resolutionMs;
    if (this.#hours.get(id) === hour) return;
    this.#hours.set(id, hour);
    this.#pending.set(id, hour);
  }

  /** Returns the pending uses and removes them. */
  take(): readonly NotedUse[] {
    const taken = [...this.#pending].map(([id, at]) => ({ id, at }));
    this.#pending = new Map();
    return taken;
  }

  /**
   * Makes uses pending that could not be stored, or that another process noted. A newer pending use
   * of the same key stays.
   */
  giveBack(uses: readonly NotedUse[]): void {
    for (const { id, at } of uses) {
      if (at > (this.#pending.get(id) ?? -Infinity)) this.#pending.set(id, at);
    }
  }
}
