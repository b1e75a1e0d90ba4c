import { sourceOf } from '../feed-type.ts';
import type { FeedConfig, FeedDeps } from '../feed-type.ts';
import type { Feed } from '../feed.ts';
import { usualSocketLimits } from '../network-limits.ts';
import type { SocketLimits } from '../network-limits.ts';
import { socketBatches } from './socket.ts';
import type { SocketOptions } from './socket.ts';

/** What a source must say to be connected to over a WebSocket. */
export interface SocketSource extends Omit<SocketOptions, 'limits'> {
  readonly limits?: Partial<SocketLimits>;
}

/** A feed over a WebSocket. */
export function createSocketFeed(config: FeedConfig, deps: FeedDeps, source: SocketSource): Feed {
  const limits = { ...usualSocketLimits, ...source.limits, ...deps.socketLimits };
  return {
    ...sourceOf(config),
    batches: (signal) => socketBatches({ ...source, limits }, deps, signal),
  };
}
