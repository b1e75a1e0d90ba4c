import type { NotedUse } from '../../auth/key-uses.ts';
import type { StreamCounts } from '../../http/stream/stream-limits.ts';
import type { MeetAt } from '../../http/carriers/stop/listener-stop.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { keepKeys } from '../keys/keep-keys.ts';
import { readListenerFiles } from '../listeners/listener-files.ts';
import { OutageLog } from '../log/outage-log.ts';
import { measureLog, measurePublicListener, measureRateLimits } from '../metrics/public-metrics.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openListeners, type Listeners } from '../listeners/open-listeners.ts';
import { openTransports } from '../listeners/open-transport.ts';
import { openPlace } from '../place/open-place.ts';
import { divideByNodes } from '../roles/divide-by-nodes.ts';
import { makeRateLimits } from '../../config/settings/rate-plans.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import type { StoreDamage } from '../../store/contract/store-fault.ts';
import type { MetricsJson, ShowMessage } from './messages.ts';
import { learnLine, openReceivedSite, type ReceivedSite } from './received-site.ts';

/**
 * The service of a worker process: a board that follows the primary's, a read-only store, and the public
 * listener over both. Disposing it drains the listener.
 */
export class WorkerService implements AsyncDisposable {
  readonly #log: Log;
  readonly #damage: StoreDamage;
  readonly #metrics: Metrics;
  readonly #listeners: Listeners;
  /** Disposed after the site: the certificate, the keys and their store. */
  readonly #below: AsyncDisposable;
  #received: ReceivedSite;
  /** Where keys and nodes are read. */
  readonly #place: StorePlace;

  private constructor(own: {
    readonly log: Log;
    readonly damage: StoreDamage;
    readonly metrics: Metrics;
    readonly listeners: Listeners;
    readonly below: AsyncDisposable;
    readonly received: ReceivedSite;
    readonly place: StorePlace;
  }) {
    this.#place = own.place;
    this.#log = own.log;
    this.#damage = own.damage;
    this.#metrics = own.metrics;
    this.#listeners = own.listeners;
    this.#below = own.below;
    this.#received = own.received;
  }

  /**
   * Opens the service, on the port of the primary.
   *
   * @throws OperatorFault and StoreFault, as a start does.
   */
  static async open(
    first: ShowMessage,
    {
      version,
      instance,
      processes,
      port,
      log: plainLog,
      dropped,
      noteUses,
      damage,
      streamCounts,
      meetAt,
    }: {
      readonly version: string;
      readonly instance: string;
      readonly processes: number;
      readonly port: number;
      readonly log: Log;
      /** Number of log lines that were dropped. */
      readonly dropped: () => number;
      /** Sends the uses of keys to the primary, because a worker may not write. */
      readonly noteUses: (uses: readonly NotedUse[]) => Promise<void>;
      /** The damage that any process has found in the store. */
      readonly damage: StoreDamage;
      /** The streams of each key in all processes. */
      readonly streamCounts: StreamCounts;
      /** Waits for the other processes in a stop. */
      readonly meetAt: MeetAt;
    },
  ): Promise<WorkerService> {
    await using cleanUp = new AsyncDisposableStack();
    const settings = { ...first.settings, port };
    const place = cleanUp.use(openPlace(settings.store, damage));
    const { log } =
      place.kind === 'postgres'
        ? cleanUp.use(new OutageLog({ log: plainLog, place, clock: systemClock }))
        : { log: plainLog };
    const { public: reach } = cleanUp.use(await openTransports(settings, log));
    learnLine(place, first.replication);
    const { keys, hints } = cleanUp.use(await place.open({ mode: 'read' }));
    const keyReader = {
      revision: () => keys.revision(),
      readAll: () => keys.readAll(),
      noteUses,
    };
    const { ring: keyRing } = cleanUp.use(
      await keepKeys(keyReader, {
        hints,
        log,
        clock: systemClock,
        staleMaxMs: settings.keysStaleMaxSeconds * 1_000,
      }),
    );
    const rateLimits = makeRateLimits(settings, log);
    const own = { instance, rateLimits, clock: systemClock, log };
    cleanUp.use(await divideByNodes(place, own));
    const metrics = new Metrics({ version });
    measureRateLimits(metrics.registry, rateLimits);
    measureLog(metrics.registry, { dropped });
    const observers = measurePublicListener(metrics);
    const files = await readListenerFiles();
    const sharedPort = { processes, isHeld: true, meetAt };
    await using opening = new AsyncDisposableStack();
    const received = opening.use(await openReceivedSite(first, damage, log));
    // Those of the site that is shown later, too.
    let origins = (): readonly string[] => received.origins;
    const listening = { reach, log, observers, sharedPort, origins: () => origins() };
    const parts = { ...files, ...listening, instance, keyRing, rateLimits, streamCounts };
    const listeners = await openListeners({ site: received.site, settings }, parts);
    opening.move();
    const service: WorkerService = new WorkerService({
      log,
      damage,
      metrics,
      listeners,
      below: cleanUp.move(),
      received,
      place,
    });
    origins = () => service.#received.origins;
    return service;
  }

  /** Replaces the site, or its renewed market. */
  async show(message: ShowMessage): Promise<void> {
    const before = this.#received;
    const received = await openReceivedSite(message, this.#damage, this.#log);
    this.#received = received;
    await this.#listeners.show({ site: received.site, settings: message.settings });
    await before[Symbol.asyncDispose]();
  }

  /** As {@link ReceivedSite.take}. */
  take(news: Parameters<ReceivedSite['take']>[0]): void {
    learnLine(this.#place, news.replication);
    this.#received.take(news);
  }

  metrics(): Promise<MetricsJson> {
    return this.#metrics.registry.getMetricsAsJSON();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listeners[Symbol.asyncDispose]();
    await this.#received[Symbol.asyncDispose]();
    await this.#below[Symbol.asyncDispose]();
  }
}
