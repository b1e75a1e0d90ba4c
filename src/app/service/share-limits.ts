import type { RateLimits } from '../../http/admission/rate-limits.ts';
import type { Log } from '../../lib/log.ts';
import { repeat } from '../../lib/repeat.ts';
import type { NodeRegistry } from '../../store/nodes.ts';

/** How often the live nodes are counted, in milliseconds. */
const countEveryMs = 2_000;

/**
 * Divides the limits of keys by the number of live nodes that serve, until disposed. While the nodes cannot
 * be counted, the last count applies.
 */
export function shareLimits(
  rateLimits: Pick<RateLimits, 'divideBy'>,
  { nodes, log }: { readonly nodes: Pick<NodeRegistry, 'live'>; readonly log: Log },
): AsyncDisposable {
  const count = async (): Promise<void> => {
    const serving = (await nodes.live()).filter(({ role }) => role !== 'write');
    rateLimits.divideBy(Math.max(1, serving.length));
  };
  const onFault = (fault: unknown): void =>
    log.warn({ err: fault }, 'could not count the nodes, retrying');
  return repeat(count, { pauseMs: countEveryMs, onFault });
}
