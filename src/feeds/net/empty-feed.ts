import { sourceOf } from '../contract/feed-type.ts';
import type { FeedConfig, FeedDeps } from '../contract/feed-type.ts';
import type { Feed, FeedBatch } from '../contract/feed.ts';

/** The feed of a source from which no instrument is taken: it connects to nothing and ends. */
export function emptyFeed(config: FeedConfig, { log }: Pick<FeedDeps, 'log'>): Feed {
  return {
    ...sourceOf(config),
    async *batches(): AsyncGenerator<FeedBatch, void, undefined> {
      log.warn({ feed: config.name }, 'the universe has no instrument for this feed');
      yield* [];
    },
  };
}
