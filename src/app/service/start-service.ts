import { randomBytes } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { resolve } from 'node:path';
import type { KeyWish } from '../../auth/issue-key.ts';
import type { Log } from '../../lib/log.ts';
import { repeat } from '../../lib/repeat.ts';
import { systemClock } from '../../lib/clock.ts';
import { urlHost } from '../../lib/url-host.ts';
import type { StorePlace } from '../../store/place.ts';
import type { NodeRecord } from '../../store/nodes.ts';
import type { UniverseChanges } from '../../universe/compare-universes.ts';
import { ClockWatch } from './clock-watch.ts';
import { makeFirstKey } from '../keys/first-key.ts';
import { readListenerFiles } from '../listeners/listener-files.ts';
import { keepKeys } from '../keys/keep-keys.ts';
import { addKey, untilKeysApply } from '../keys/keys.ts';
import { embedderActor } from '../keys/key-actor.ts';
import type { NewKey } from '../keys/keys.ts';
import { measureLog } from '../metrics/log-metrics.ts';
import type { ServiceLog } from '../log/make-log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { listen, openListeners } from '../listeners/open-listeners.ts';
import type { Site, SiteParts } from '../site/open-site.ts';
import { openTransports } from '../listeners/open-transport.ts';
import { makePrivateServer } from '../listeners/open-private.ts';
import { measurePublicListener } from '../metrics/public-metrics.ts';
import type { ConfigFile } from '../settings/read-config.ts';
import { measureRateLimits } from '../metrics/rate-limit-metrics.ts';
import { makeRateLimits, planTable } from '../settings/rate-plans.ts';
import { openPlace } from '../place/open-place.ts';
import { presetUniverse } from '../site/presets.ts';
import { readFeeds } from '../site/read-feeds.ts';
import { requireUniverse } from '../site/require-universe.ts';
import type { Settings } from '../settings/settings.ts';
import { Showing } from './showing.ts';
import type { ReloadReport } from './showing.ts';
import { StaleWatch } from './stale-watch.ts';
import { watchStore } from './store-watch.ts';
import { SummedMetrics } from '../workers/summed-metrics.ts';
import { Workers } from '../workers/workers.ts';

export type { UniverseChanges };

/** How often a demonstration checks whether real data exists, in milliseconds. */
const realDataPollMs = 500;

/** How often the clock and the feeds are checked, in milliseconds. */
const watchPauseMs = 1_000;

/** A running service. Disposing it drains the listeners, commits all quotes, and closes the store. */
export interface Service extends AsyncDisposable {
  /** URL of the public listener, base path included. */
  readonly url: string;
  /** URL of the private listener. */
  readonly privateUrl: string;
  /** Where the data is, for people. It contains no secret. */
  readonly storeName: string;
  readonly isSimulated: boolean;
  /** The key that was created because none existed. It is shown once. */
  readonly firstKey: NewKey | undefined;
  /** Creates a key for the program that runs the service. It is valid when the promise resolves. */
  createKey(wish: KeyWish): Promise<NewKey>;
  /**
   * Applies the universe files and the settings as they are now. Requests are served throughout.
   * Updates wait until the new market is open.
   *
   * @throws OperatorFault that lists every fault of the universe or of the configuration.
   * @throws StoreFault when the new market cannot be opened. In both cases nothing changes.
   */
  reload(configured: {
    readonly settings: Settings;
    readonly file: ConfigFile | undefined;
  }): Promise<ReloadReport>;
}

/**
 * Starts the service in this order: universe, claim, store, keys, site, listeners, first key. When one
 * of them fails, those that have started are stopped.
 *
 * The place is claimed before the store is opened, because opening upgrades the schema. An older service
 * that still runs on the place could not start again afterwards.
 *
 * Without imported data, feeds and ingest keys the service shows a demonstration. As soon as one of
 * them exists, the real site is opened beside the demonstration and replaces it at the listeners.
 *
 * @throws OperatorFault and StoreFault that say what failed.
 */
export async function startService({
  settings,
  file,
  programLog,
  version,
  canShowKey,
}: {
  readonly settings: Settings;
  readonly file: ConfigFile | undefined;
  readonly programLog: ServiceLog;
  /** The version of the program, for the metrics. */
  readonly version: string;
  /** Whether the caller can show a first key. */
  readonly canShowKey: boolean;
}): Promise<Service> {
  const { log } = programLog;
  await using cleanUp = new AsyncDisposableStack();
  const place = cleanUp.use(openPlace(settings.store));
  cleanUp.use(place.warmUp());
  const transports = cleanUp.use(await openTransports(settings, log));
  const universe = presetUniverse(await requireUniverse(settings.universe), settings);
  const feeds = readFeeds({ settings, file }, universe);
  const rateLimits = makeRateLimits(settings, log);
  const instance = randomBytes(9).toString('base64url');
  const node = { id: instance, name: hostname() };
  const claim = cleanUp.use(await place.claim(node));
  const store = cleanUp.use(await place.open({ mode: 'create', claim }));
  const keptKeys = cleanUp.use(await keepKeys(store.keys, { hints: store.hints, log }));
  const { ring: keyRing } = keptKeys;

  const metrics = new Metrics({ version });
  measureRateLimits(metrics.registry, rateLimits);
  measureLog(metrics.registry, programLog);
  const observers = measurePublicListener(metrics);
  const observer = metrics.market();
  const parts: SiteParts = { universe, settings, feeds, log, observer, place, claim };
  const files = await readListenerFiles();
  const reach = transports.public;
  const processes = settings.workers === 'auto' ? availableParallelism() : settings.workers;
  const sharedPort = processes === 1 ? undefined : { processes, isHeld: false };
  const listening = { reach, log, observers, sharedPort };
  const listenerParts = { ...files, ...listening, instance, keyRing, rateLimits };
  const workers = new Workers({
    processes,
    version,
    instance,
    log,
    writeLine: programLog.writeLine,
    onEnded: () => metrics.workerEnded(),
    noteUses: (uses) => keyRing.uses.giveBack(uses),
  });
  const showing = cleanUp.use(
    await Showing.open(store, parts, async (first) => {
      await using opening = new AsyncDisposableStack();
      const listeners = opening.use(await openListeners(first, listenerParts));
      const joined = await workers.join(listeners, first);
      opening.move();
      return joined;
    }),
  );
  if (showing.isSimulated) {
    const onFault = (fault: unknown): void =>
      log.error({ err: fault }, 'could not replace the demonstration, retrying');
    cleanUp.use(repeat(() => showing.replaceDemonstration(), { pauseMs: realDataPollMs, onFault }));
  }
  metrics.measure(() => showing.measured);
  const { host: privateHost, scheme, transport } = transports.private;
  const metricsText = new SummedMetrics(metrics.registry, workers);
  const site = (): Site => showing.site;
  let isStopping = false;
  const isStoppingNow = (): boolean => isStopping;
  const own = { instance, site, settings, keyRing, metrics, metricsText, log, transport };
  const privateParts = { ...own, isStopping: isStoppingNow };
  const privateServer = cleanUp.use(makePrivateServer(privateParts));
  const privateAt = { host: privateHost, port: settings.privatePort };
  const { host, port } = await listen(() => privateServer.listen(privateAt), privateAt);
  cleanUp.use(watchAll({ showing, place, metrics, log }));
  const privateUrl = `${scheme}://${urlHost(host)}:${port}`;
  const tlsCert = settings.tlsCert === '' ? '' : resolve(settings.tlsCert);
  const nodeRecord = (): NodeRecord => ({
    instance,
    role: 'all',
    host: node.name,
    pid: process.pid,
    version,
    url: showing.url,
    privateUrl,
    tlsCert,
  });
  const registration = cleanUp.use(
    await place.nodes.register(nodeRecord(), (fault) =>
      log.warn({ err: fault }, 'could not publish the addresses of the service'),
    ),
  );
  // The other processes poll the store for keys.
  const untilAccepted = (): Promise<void> =>
    processes === 1 ? keptKeys.catchUp() : untilKeysApply(place);
  const firstKey = await makeFirstKey(store.keys, { canShow: canShowKey, untilAccepted, log });
  const running = cleanUp.move();
  return {
    url: showing.url,
    privateUrl,
    storeName: place.name,
    isSimulated: showing.isSimulated,
    firstKey,
    createKey: async (wish) => {
      const created = await addKey(store.keys, wish, embedderActor);
      await untilAccepted();
      return created;
    },
    reload: async (configured) => {
      // Validate everything before changing anything.
      planTable(configured.settings);
      const newUniverse = presetUniverse(
        await requireUniverse(configured.settings.universe),
        configured.settings,
      );
      const report = await showing.reload({
        ...parts,
        settings: configured.settings,
        universe: newUniverse,
        feeds: readFeeds(configured, newUniverse),
      });
      await registration.update(nodeRecord());
      return report;
    },
    [Symbol.asyncDispose]: async () => {
      isStopping = true;
      // Both listeners drain at the same time. Afterwards nothing uses the site.
      await Promise.all([privateServer[Symbol.asyncDispose](), showing.closeListeners()]);
      await running.disposeAsync();
    },
  };
}

/** Checks the clock, the feeds and the store periodically. */
function watchAll({
  showing,
  place,
  metrics,
  log,
}: {
  readonly showing: Showing;
  readonly place: StorePlace;
  readonly metrics: Metrics;
  readonly log: Log;
}): AsyncDisposable {
  const watching = new AsyncDisposableStack();
  const clockWatch = new ClockWatch({
    clock: systemClock,
    onJump: (ms) => {
      metrics.clockJumped();
      log.warn({ ms }, 'clock was set, or the process was suspended');
    },
  });
  const staleWatch = new StaleWatch(log);
  const look = async (): Promise<void> => {
    clockWatch.look();
    staleWatch.look(showing.site.feeds.states());
  };
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not check the clock and the feeds');
  watching.use(repeat(look, { pauseMs: watchPauseMs, onFault }));
  watching.use(
    watchStore({
      check: (signal) => place.check(signal),
      clock: systemClock,
      onDamaged: () => metrics.commitHealth.damaged(),
      log,
    }),
  );
  return watching;
}
