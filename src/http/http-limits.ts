import type { CarrierLimits } from './carriers/connection/transport.ts';
import type { ContentLimits } from './content/content.ts';
import type { ReadLimits } from './answers/read-queue.ts';

/** What clients may cost a listener. */
export interface HttpLimits extends CarrierLimits, ContentLimits, ReadLimits {}

/**
 * By default Node keeps an idle client connected for a minute. These limits close its connection after
 * 6, 11 or 31 s, which is enough for a client on a slow line.
 */
export const defaultHttpLimits: HttpLimits = {
  tickersMax: 500,
  responsesBytesMax: 64 * 2 ** 20,
  historyRowsMax: 100_000,
  readWaitMsMax: 5_000,
  readsMax: 8,
  requestLineBytesMax: 16 * 1024,
  requestHeadBytesMax: 32 * 1024,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 30_000,
  stalledSocketMs: 60_000,
  responseTimeoutMs: 60_000,
  connectionsPerAddressMax: 1_000,
  connectionsMax: 10_000,
  turnBudgetMs: 2,
  queueWaitMsMax: 500,
  queuedMax: 10_000,
  timeoutCheckMs: 500,
  drainIdleMs: 1_000,
  drainMs: 10_000,
};
