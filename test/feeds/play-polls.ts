import assert from 'node:assert/strict';
import type { Universe } from '../../src/domain/instruments/universe.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { FeedType } from '../../src/feeds/contract/feed-type.ts';
import type { FeedFault, Rejected } from '../../src/feeds/contract/feed.ts';
import { SourceServer } from '../support/http/source-server.ts';
import { createFeed } from './sources/source-suite.ts';

/** What a source answers to the requests of one poll. */
export interface PlayedPoll {
  /** The time of the poll, as text of RFC 3339. */
  readonly now: string;
  /** By path, without a query. A path that is missing answers 404. */
  readonly routes: Readonly<Record<string, { readonly status?: number; readonly body: unknown }>>;
}

/** What a poll led to. */
export interface PlayedOutcome {
  /** The last price of each instrument after the poll. */
  readonly prices: Readonly<Record<string, number>>;
  readonly rejected: readonly Rejected[];
  readonly failed: readonly FeedFault[];
  readonly requests: readonly string[];
}

/** Plays polls of a source, one after the other, through its feed and an engine. */
export async function playPolls(
  type: FeedType,
  polls: readonly PlayedPoll[],
  options: { readonly universe: Universe; readonly config?: Readonly<Record<string, unknown>> },
): Promise<readonly PlayedOutcome[]> {
  await using server = await SourceServer.start();
  const { universe } = options;
  const engine = new Engine(universe, { settleDelayMs: 900_000, nextVersion: 1 });
  let now = Date.parse(polls[0]?.now ?? '');
  let ended = new AbortController();
  const feed = createFeed({ type, now, ...options }, server.url, {
    clock: { now: () => now, monotonic: () => performance.now() },
    // Only the pause between two polls is as long.
    pause: async (ms) => {
      if (ms >= 20_000) ended.abort();
    },
  });
  const outcomes: PlayedOutcome[] = [];
  for (const poll of polls) {
    now = Date.parse(poll.now);
    ended = new AbortController();
    server.requests.length = 0;
    server.respond = ({ url }, response) => {
      const { status = 200, body } = poll.routes[url.split('?')[0] ?? ''] ?? { status: 404 };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
    };
    const rejected: Rejected[] = [];
    const failed: FeedFault[] = [];
    for await (const batch of feed.batches(ended.signal)) {
      engine.apply(batch.updates, now, { name: type.type });
      rejected.push(...batch.rejected);
      failed.push(...(batch.failed ?? []));
    }
    assert.ok(server.requests.length > 0, 'the poll has sent requests');
    const prices = Object.fromEntries(
      engine.quotes().map(({ instrument, last }) => [instrument.ticker, last]),
    );
    const requests = server.requests.map(({ url }) => url);
    outcomes.push({ prices, rejected, failed, requests });
  }
  return outcomes;
}
