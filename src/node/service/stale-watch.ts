import type { Log } from '../../lib/reports/log.ts';
import type { FeedState } from '../../pipeline/live/feed-state.ts';

/** Logs once when a feed becomes stale, and once when it sends data again. */
export class StaleWatch {
  readonly #log: Log;
  #stale: ReadonlySet<string> = new Set();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Compares the feeds with the previous call. The caller repeats this periodically. */
  look(states: readonly FeedState[]): void {
    const stale = states.filter(({ isStale }) => isStale);
    for (const { name, lastBatchAt, lastFault } of stale) {
      if (this.#stale.has(name)) continue;
      const since = lastBatchAt === undefined ? undefined : new Date(lastBatchAt).toISOString();
      this.#log.warn({ feed: name, since, lastFault }, 'feed stale');
    }
    const names = new Set(stale.map(({ name }) => name));
    for (const name of this.#stale) {
      if (!names.has(name)) this.#log.info({ feed: name }, 'feed no longer stale');
    }
    this.#stale = names;
  }
}
