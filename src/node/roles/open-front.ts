import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { makeRateLimits } from '../../config/settings/rate-plans.ts';
import type { Settings } from '../../config/settings/settings.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import type { Store } from '../../store/contract/store.ts';
import { keepKeys, type KeptKeys } from '../keys/keep-keys.ts';
import { readListenerFiles } from '../listeners/listener-files.ts';
import type { ListenerParts } from '../listeners/open-listeners.ts';
import type { ServiceLog } from '../log/make-log.ts';
import { OutageLog } from '../log/outage-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { measureLog, measurePublicListener, measureRateLimits } from '../metrics/public-metrics.ts';
import { divideByNodes } from './divide-by-nodes.ts';

/** What a process that answers requests needs besides a market. */
export interface Front extends AsyncDisposable {
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
