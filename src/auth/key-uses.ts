/** Uses are told apart by the hour: enough to find a key that nobody needs any more. */
const grainMs = 3_600_000;

/** A key that opened something, and the hour in which it did, in epoch milliseconds. */
export interface NotedUse {
  readonly id: string;
  readonly at: number;
}

/**
 * Which keys opened something, by the hour. To note a use is one look-up, and only the first of an
 * hour is news; whoever owns this takes the news from time to time and keeps them. It holds at most
 * one entry for each key that was used.
 */
export class KeyUses {
  readonly #hours = new Map<string, number>();
  #news = new Map<string, number>();

  /** Notes that a key opened something now, in epoch milliseconds. */
  note(id: string, now: number): void {
    const hour = Math.floor(now / grainMs) * grainMs;
    if (this.#hours.get(id) === hour) return;
    this.#hours.set(id, hour);
    this.#news.set(id, hour);
  }

  /** The uses that nobody has taken yet. */
  take(): readonly NotedUse[] {
    const taken = [...this.#news].map(([id, at]) => ({ id, at }));
    this.#news = new Map();
    return taken;
  }

  /** Gives back uses that could not be kept, or were noted elsewhere, unless there are newer ones. */
  giveBack(uses: readonly NotedUse[]): void {
    for (const { id, at } of uses) {
      if (at > (this.#news.get(id) ?? -Infinity)) this.#news.set(id, at);
    }
  }
}
