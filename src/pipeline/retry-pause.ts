import type { FeedFault, FeedFaultCode } from '../feeds/contract/feed.ts';
import { backoffMs, type Backoff } from '../lib/time/backoff.ts';

/** How the pauses grow with each failure in a row. */
const pauses: Readonly<Record<FeedFaultCode | 'unexpected', Backoff>> = {
  unavailable: { firstMs: 1_000, maxMs: 60_000 },
  unintelligible: { firstMs: 5_000, maxMs: 300_000 },
  limited: { firstMs: 60_000, maxMs: 900_000 },
  // A key or a path that is wrong stays wrong until somebody corrects it.
  refused: { firstMs: 900_000, maxMs: 21_600_000 },
  'invalid-request': { firstMs: 900_000, maxMs: 21_600_000 },
  untrusted: { firstMs: 60_000, maxMs: 3_600_000 },
  unexpected: { firstMs: 1_000, maxMs: 60_000 },
};

/** The share by which a wait that the source asks for is extended at random. */
const spreadPart = 0.1;

/**
 * How long to wait before a feed is started again, in milliseconds: longer with each failure in a row,
 * by the code of the fault, and never less than the source asks for.
 *
 * @param failures in a row, from 1.
 * @param random returns numbers from 0 up to but not including 1.
 */
export function retryPauseMs(
  fault: Pick<FeedFault, 'code' | 'retryAfterMs'> | undefined,
  failures: number,
  random: () => number,
): number {
  const ownMs = backoffMs(failures, pauses[fault?.code ?? 'unexpected'], random);
  const askedMs = (fault?.retryAfterMs ?? 0) * (1 + spreadPart * random());
  return Math.round(Math.max(ownMs, askedMs));
}
