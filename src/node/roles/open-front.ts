import { systemClock, type Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { makeRateLimits } from '../../config/settings/rate-plans.ts';
import type { Settings } from '../../config/settings/settings.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import type { Store } from '../../store/contract/store.ts';
import type { RateLimits } from '../../http/admission/rate-limits.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { LiveNode } from '../../store/contract/nodes.ts';
import { keepKeys, type KeptKeys } from '../keys/keep-keys.ts';
import { readListenerFiles } from '../listeners/listener-files.ts';
import type { ListenerParts } from '../listeners/open-listeners.ts';
import type { ServiceLog } from '../log/make-log.ts';
import { OutageLog } from '../log/outage-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { measureLog, measurePublicListener, measureRateLimits } from '../metrics/public-metrics.ts';

/** What a process that answers requests needs besides a market. */
interface Front extends AsyncDisposable {
  readonly keys: KeptKeys;
  readonly listenerParts: ListenerParts;
}

/** Opens the keys, the rate limits and the metrics of the public listener. */
export async function openFront({
  place,
  store,
  settings,
  metrics,
  programLog,
  ...listening
}: {
  readonly place: StorePlace;
  readonly store: Pick<Store, 'keys' | 'hints'>;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly programLog: Pick<ServiceLog, 'dropped'>;
} & Pick<
  ListenerParts,
  'instance' | 'log' | 'reach' | 'streamCounts' | 'origins' | 'sharedPort'
>): Promise<Front> {
  const { instance, log } = listening;
  await using cleanUp = new AsyncDisposableStack();
  const keys = cleanUp.use(
    await keepKeys(store.keys, {
      hints: store.hints,
      log,
      clock: systemClock,
      staleMaxMs: settings.keysStaleMaxSeconds * 1_000,
    }),
  );
  const rateLimits = makeRateLimits(settings, log);
  measureRateLimits(metrics.registry, rateLimits);
  measureLog(metrics.registry, programLog);
  const observers = measurePublicListener(metrics);
  if (settings.role !== 'write') {
    const own = { instance, rateLimits, clock: systemClock, log };
    cleanUp.use(await divideByNodes(place, own));
  }
  const files = await readListenerFiles();
  const running = cleanUp.move();
  return {
    keys,
    listenerParts: { ...files, ...listening, observers, keyRing: keys.ring, rateLimits },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The log of a process: over a database, an outage is one line. The caller disposes it. */
export function openLog(log: Log, place: StorePlace): AsyncDisposable & { readonly log: Log } {
  if (place.kind === 'postgres') return new OutageLog({ log, place, clock: systemClock });
  return { log, [Symbol.asyncDispose]: async () => undefined };
}

/** How often the live nodes are read, in milliseconds. */
const pollEveryMs = 1_000;

/**
 * A node that is no longer live is counted in this many further reads. So a restart of a node does not change
 * the limits twice, and after an outage of the database the nodes have time to register again.
 */
const readsKept = 4;

/** The division of the limits of keys by the live nodes. It ends when it is disposed. */
interface NodeDivision extends AsyncDisposable {
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
