import { sourceOf, type FeedConfig, type FeedDeps } from '../contract/feed-type.ts';
import type { Feed, FeedBatch } from '../contract/feed.ts';

/** The feed of a source that has no instrument of the universe: it logs this, does not connect, and ends. */
export function emptyFeed(config: FeedConfig, { log }: Pick<FeedDeps, 'log'>): Feed {
  return {
    ...sourceOf(config),
    async *batches(): AsyncGenerator<FeedBatch, void, undefined> {
      log.warn({ feed: config.name }, 'the universe has no instrument for this feed');
      yield* [];
    },
  };
}
