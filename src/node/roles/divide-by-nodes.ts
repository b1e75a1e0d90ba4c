import type { RateLimits } from '../../http/admission/rate-limits.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { LiveNode } from '../../store/contract/nodes.ts';
import type { StorePlace } from '../../store/contract/place.ts';

/** How often the live nodes are read, in milliseconds. */
const pollEveryMs = 1_000;

/**
 * A node that is no longer live is counted in this many further reads. So a restart of a node does not change
 * the limits twice, and after an outage of the database the nodes have time to register again.
 */
const readsKept = 4;

/** The division of the limits of keys by the live nodes. It ends when it is disposed. */
export interface NodeDivision extends AsyncDisposable {
  /** Reads the nodes now instead of at the next poll. */
  look(): Promise<void>;
}

/**
 * Divides the limits of keys by the number of live nodes that serve requests, while the scope of the limits
 * is `cluster`. This node is counted, whether it is registered yet or not. A node that starts is counted at
 * once. A node that ends is counted for a few more seconds. While the nodes cannot be read, the number does
 * not change. Before the first read, only this node is counted.
 *
 * A data directory has one node, so nothing is read.
 */
export async function divideByNodes(
  { kind, nodes }: Pick<StorePlace, 'kind' | 'nodes'>,
  {
    instance,
    rateLimits,
    clock,
    log,
    pollMs = pollEveryMs,
  }: {
    /** The id of this node. */
    readonly instance: string;
    readonly rateLimits: RateLimits;
    readonly clock: Pick<Clock, 'now'>;
    readonly log: Log;
    readonly pollMs?: number;
  },
): Promise<NodeDivision> {
  if (kind === 'sqlite') {
    return { look: async () => undefined, [Symbol.asyncDispose]: async () => undefined };
  }
  let counts: readonly number[] = [];
  const look = async (): Promise<void> => {
    // The scope may change by a reload.
    if (rateLimits.scope === 'node') {
      counts = [];
      return;
    }
    counts = [serving(await nodes.live(), instance), ...counts].slice(0, readsKept + 1);
    const count = Math.max(...counts);
    const before = rateLimits.parts;
    if (count === before) return;
    rateLimits.divide(count, clock.now());
    log.info({ nodes: count, before }, 'the limits of keys are divided by another number of nodes');
  };
  const onFault = (fault: unknown): void =>
    log.warn(
      { err: fault },
      'could not count the nodes, the limits of keys stay divided as before',
    );
  await look().catch(onFault);
  const polling = repeat(look, { pauseMs: pollMs, onFault });
  return { look, [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose]() };
}

/** The number of nodes that serve requests, this one included. */
function serving(live: readonly LiveNode[], instance: string): number {
  return 1 + live.filter((node) => node.role !== 'write' && node.instance !== instance).length;
}
