import type { Log } from '../../lib/log.ts';
import type { FeedState } from '../../pipeline/feed-state.ts';

/** Tells the log when a feed falls silent for too long, and when it speaks again: once each. */
export class StaleWatch {
  readonly #log: Log;
  #stale: ReadonlySet<string> = new Set();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Compares the feeds with what they were; to be called every now and then. */
  look(states: readonly FeedState[]): void {
    const stale = states.filter(({ isStale }) => isStale);
    for (const { name, lastBatchAt, lastFault } of stale) {
      if (this.#stale.has(name)) continue;
      const since = lastBatchAt === undefined ? undefined : new Date(lastBatchAt).toISOString();
      this.#log.warn({ feed: name, since, lastFault }, 'a feed is stale');
    }
    const names = new Set(stale.map(({ name }) => name));
    for (const name of this.#stale) {
      if (!names.has(name)) this.#log.info({ feed: name }, 'a feed is stale no more');
    }
    this.#stale = names;
  }
}
