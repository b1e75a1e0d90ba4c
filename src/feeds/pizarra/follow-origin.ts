import type { Ticker } from '../../domain/instruments/ticker.ts';
import { sourceOf } from '../contract/feed-type.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import type { Feed, FeedBatch } from '../contract/feed.ts';
import { reject } from '../contract/sample.ts';
import { selectInstruments } from '../contract/select-instruments.ts';
import { chunksOf } from '../net/chunks-of.ts';
import { emptyFeed } from '../net/empty-feed.ts';
import { askOrigin } from './ask-origin.ts';
import type { Origin } from './ask-origin.ts';
import { mapEspecies } from './especies-mapper.ts';
import { followStream, tickersPerStream } from './follow-stream.ts';
import { PendingBatch } from './pending-batch.ts';
import type { PizarraConfig } from './pizarra-config.ts';

/** The minimum time from one batch to the next, in milliseconds: a busy origin does not cause a commit for each event. */
const batchEveryMs = 10;

/**
 * Follows another Pizarra: its quotes as they change, by its streams. The tickers are those that both
 * have.
 */
export function followOrigin(config: PizarraConfig, deps: FeedDeps): Feed {
  const { universe, clock, pause, network } = deps;
  const tickers = selectInstruments(
    universe.instruments.map(({ ticker }) => ticker),
    { universe, config },
  );
  if (tickers.size === 0) return emptyFeed(config, deps);
  return {
    ...sourceOf(config),
    tickers,
    async *batches(signal): AsyncGenerator<FeedBatch, void, undefined> {
      const origin = askOrigin(config, deps);
      const ended = new AbortController();
      const running = AbortSignal.any([signal, ended.signal]);
      const pending = new PendingBatch();
      try {
        const paths = Math.ceil(tickers.size / tickersPerStream) + 1;
        network?.observer?.begins({ tickers, kind: 'request', paths });
        const offered = await offeredOf(origin, tickers, running);
        const lacking = [...tickers].filter((ticker) => !offered.has(ticker));
        pending.reject(lacking.map((ticker) => reject('not-offered', ticker, ticker)));
        const chunks = chunksOf([...offered], tickersPerStream);
        let incomplete = chunks.length;
        const onComplete = (): void => {
          incomplete -= 1;
          if (incomplete === 0) network?.observer?.polled();
        };
        for (const chunk of chunks) {
          void followStream(chunk, { origin, deps, pending, onComplete }, running);
        }
        for (let yieldedAt = -Infinity; ; yieldedAt = clock.monotonic()) {
          const waitMs = yieldedAt + batchEveryMs - clock.monotonic();
          if (waitMs > 0) await pause(waitMs, running);
          await pending.ready(running);
          yield pending.take();
        }
      } catch (fault) {
        if (!signal.aborted) throw fault;
      } finally {
        ended.abort();
      }
    },
  };
}

/** The tickers of the universe that the origin has. */
async function offeredOf(
  origin: Origin,
  tickers: ReadonlySet<Ticker>,
  signal: AbortSignal,
): Promise<ReadonlySet<Ticker>> {
  const fetched = await origin.read({ path: '/especies.json' }, signal);
  const rows = fetched.isUnchanged ? [] : mapEspecies(fetched);
  // The rows are no prices. So a check sees that they were understood.
  fetched.observer?.mapped({ updates: [], rejected: [] });
  const offered = new Set(rows.map(({ ticker }) => ticker));
  return new Set([...tickers].filter((ticker) => offered.has(ticker)));
}
