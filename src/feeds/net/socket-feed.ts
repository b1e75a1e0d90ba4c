import type { Ticker } from '../../domain/instruments/ticker.ts';
import { sourceOf, type FeedConfig, type FeedDeps } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { usualSocketLimits, type SocketLimits } from '../contract/network.ts';
import { emptyFeed } from './empty-feed.ts';
import { socketBatches, type SocketOptions } from './socket.ts';

/** How to connect to a source over a WebSocket, and the tickers for which it is used. */
interface SocketSource extends Omit<SocketOptions, 'limits'> {
  /** The tickers whose updates the source sends. If there are none, the feed does not connect, and ends. */
  readonly tickers: ReadonlySet<Ticker>;
  readonly limits?: Partial<SocketLimits>;
}

/** Creates a feed that receives updates over a WebSocket. */
export function createSocketFeed(config: FeedConfig, deps: FeedDeps, source: SocketSource): Feed {
  const limits = { ...usualSocketLimits, ...source.limits, ...deps.socketLimits };
  if (source.tickers.size === 0) return emptyFeed(config, deps);
  return {
    ...sourceOf(config),
    tickers: source.tickers,
    batches(signal) {
      deps.network?.observer?.begins({ tickers: source.tickers, kind: 'socket', paths: 1 });
      return socketBatches({ ...source, limits }, deps, signal);
    },
  };
}
