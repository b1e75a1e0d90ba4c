/**
 * The services that this one follows, directly and through others, by the ids of their running instances. The feeds
 * note them, and `/healthz` tells them a follower, which so recognises itself: a loop has no source of prices.
 */
export class FollowedServices {
  /** The id of this running service. */
  readonly instance: string;
  readonly #byFeed = new Map<string, readonly string[]>();

  constructor(instance: string) {
    this.instance = instance;
  }

  /** The ids of all followed services. */
  get ids(): readonly string[] {
    return [...new Set([...this.#byFeed.values()].flat())];
  }

  /** Notes what one feed follows, or with no ids that it follows nothing now. */
  note(feed: string, ids: readonly string[]): void {
    if (ids.length === 0) this.#byFeed.delete(feed);
    else this.#byFeed.set(feed, ids);
  }
}
